import { expect, test } from 'vitest';
import { evaluate } from '../../src/contract/evaluate.ts';
import { Evidence, missing, present } from '../../src/contract/evidence.ts';
import { nothingCaptured, withinBudget } from '../../src/episode/evidence-budget.ts';
import { element, evidence, page } from '../contract/evidence-sample.ts';

const SMALL = page({ id: 'page-1', body: [element('p', 'little')] });
const HUGE = page({ id: 'page-2', body: [element('p', 'x'.repeat(100_000))] });

test('evidence of a usual size is kept as it is', () => {
  const whole = evidence({ pages: [SMALL, HUGE], app_state: present({ start: 1, now: 2 }) });
  expect(withinBudget(whole)).toEqual(whole);
});

test('a page beyond all bounds is not captured, and the others are', () => {
  const kept = withinBudget(evidence({ pages: [SMALL, HUGE, SMALL] }), 50_000);
  expect(kept.pages[0]).toEqual(SMALL);
  expect(kept.pages[1]?.dom).toMatchObject({ captured: false, why: expect.stringContaining('too much to be kept') });
  expect(kept.pages[1]?.url).toEqual(HUGE.url);
  expect(kept.pages[2]).toEqual(SMALL);
  expect(Evidence.parse(kept)).toEqual(kept);
});

test('a state, a history and a log count too', () => {
  const long = 'x'.repeat(50_000);
  const pages = [{ ...SMALL, history: present([long]) }];
  const exchange = { seq: 0, method: 'GET', url: long, status: 200, request_body: null, request_body_truncated: false };
  const network = present({ entries: [exchange], since: { contract_enter: 0, last_tool_call: 0 } });
  const kept = withinBudget(evidence({ pages, network, app_state: present({ start: '', now: long }) }), 50_000);
  expect(kept).toMatchObject({
    app_state: { captured: false },
    pages: [{ history: { captured: false }, dom: { captured: true } }],
    network: { captured: false },
  });
});

test('missing evidence keeps its own reason', () => {
  expect(withinBudget(evidence({ app_state: missing('no app') }), 1).app_state).toEqual(missing('no app'));
});

test('evidence of which nothing was captured lets no assertion pass or fail', () => {
  const nothing = nothingCaptured('Invalid string length', null);
  expect(Evidence.parse(nothing)).toEqual(nothing);
  for (const assertion of [
    { kind: 'dom_text', selector: 'h1', contains: 'Done' },
    { kind: 'dom_text', contains: 'Done', fresh: true },
    { kind: 'url', pattern: 'done' },
    { kind: 'no_dialog' },
    { kind: 'unchanged' },
    { kind: 'app_state', pointer: '/a', equals: 1 },
  ] as const) {
    const { verdict, why } = evaluate(assertion, nothing);
    expect(verdict).toBe('inconclusive');
    expect(JSON.stringify(why)).toContain('Invalid string length');
    expect(evaluate({ kind: 'not', child: assertion }, nothing).verdict).toBe('inconclusive');
  }
});
