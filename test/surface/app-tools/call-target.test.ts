import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { AppTargets } from '../../../src/surface/app-tools/call-target.ts';
import { type TargetReport, targetClass } from '../../../src/task/target.ts';

const REASONS = { anyOf: [{ enum: ['error', 'client'] }, { type: 'null' }] };
const PROPERTIES: JsonObject = {
  orderId: { type: 'string' },
  tax_id: { type: 'string' },
  item: { type: 'integer' },
  reason: REASONS,
  kind: { const: 'order' },
  tags: { type: 'array', items: { enum: ['new', 'old'] } },
  note: { type: 'string' },
};

/** A tool of an app that does not declare which arguments name things, and of one that does. */
const toolOf = (properties: JsonObject) => ({ name: 'change', description: '', input_schema: { properties } });
const UNDECLARED = toolOf(PROPERTIES);
const DECLARED = toolOf({
  ...PROPERTIES,
  orderId: { type: 'string', 'x-names': true },
  item: { type: 'integer', 'x-names': { within: 'orderId', list: 'items' } },
});

const SHOWN = JSON.stringify({ orders: [{ orderId: 'A-1', items: [{ item: 1 }, { item: 2 }] }, { orderId: 'A-2' }] });

function reportOf(args: JsonObject, tool = UNDECLARED, ok = true): TargetReport | null {
  const aim = new AppTargets('Change the order.');
  aim.reportOf({ tool: 'list', args: {} }, { ok: true, kind: 'text', text: SHOWN }, [tool]);
  return aim.reportOf({ tool: 'change', args }, { ok, kind: 'text', text: '' }, [tool]);
}

function classOf(report: TargetReport | null): unknown {
  return report !== null && 'shown' in report ? targetClass(report) : report;
}

const FREE_TEXT = { untold: 'its arguments are free text, which names nothing' };

describe('an app that does not declare which arguments name things', () => {
  test.each<[string, JsonObject, unknown]>([
    ['an id that was shown', { orderId: 'A-1' }, 'resolved'],
    ['an id that was not', { orderId: 'A-3' }, 'phantom'],
    ['an id among text', { orderId: 'A-1', note: 'please' }, 'resolved'],
    ['any other number, which may be an amount', { orderId: 'A-1', item: 999 }, 'resolved'],
    ['a choice', { reason: 'client' }, 'resolved'],
    ['a choice of nothing', { reason: null }, 'resolved'],
    ['several choices', { tags: ['new', 'old'], kind: 'order' }, 'resolved'],
    ['a choice of no list', { reason: 'mood' }, 'invented_argument'],
    ['a choice of no list among several', { tags: ['new', 'blue'] }, 'invented_argument'],
    ['a constant that is another', { kind: 'invoice' }, 'invented_argument'],
    ['free text', { note: 'please' }, FREE_TEXT],
    ['free text next to a choice', { note: 'please', reason: 'client' }, FREE_TEXT],
    ['nothing', {}, null],
  ])('%s', (_, args, expected) => {
    expect(classOf(reportOf(args))).toEqual(expected);
  });
});

describe('an app that does', () => {
  test.each<[string, JsonObject, unknown]>([
    ['a name that was shown', { orderId: 'A-1' }, 'resolved'],
    ['a name that was not', { orderId: 'A-3' }, 'phantom'],
    ['an item that was shown with its order', { orderId: 'A-1', item: 2 }, 'resolved'],
    ['an item that was not, and which the app takes', { orderId: 'A-1', item: 999 }, 'not_yet_present'],
    ['an item of an order whose items were not shown', { orderId: 'A-2', item: 2 }, 'phantom'],
    ['an item of an order that was not shown', { orderId: 'A-3', item: 2 }, 'phantom'],
    ['an item of none', { item: 2 }, 'phantom'],
    ['a field with a name that only looks like an id', { tax_id: '30-1' }, FREE_TEXT],
  ])('%s', (_, args, expected) => {
    expect(classOf(reportOf(args, DECLARED))).toEqual(expected);
  });
});

test.each<[string, JsonObject, unknown]>([
  ['what was shown', { orderId: 'A-1', item: 2 }, 'blocked'],
  ['an item that was not', { orderId: 'A-1', item: 999 }, 'phantom'],
  ['what was not', { orderId: 'A-3' }, 'phantom'],
  ['a choice', { reason: 'client' }, 'blocked'],
  ['a choice of no list', { reason: 'mood' }, 'invented_argument'],
])('a call that the app refuses was not dispatched: %s', (_, args, expected) => {
  const report = reportOf(args, DECLARED, false);
  expect(classOf(report)).toBe(expected);
  expect(report).toMatchObject({ dispatched: false });
  expect(reportOf(args, DECLARED)).toMatchObject({ dispatched: true });
});
