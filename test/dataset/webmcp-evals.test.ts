import path from 'node:path';
import { expect, test } from 'vitest';
import { evaluate } from '../../src/contract/evaluate.ts';
import { present } from '../../src/contract/evidence.ts';
import type { Json, JsonObject } from '../../src/contract/json.ts';
import { importCheckout } from '../../src/dataset/import-checkout.ts';
import { contractOf, WEBMCP_EVALS } from '../../src/dataset/webmcp-evals.ts';
import { MACHINE_CLOCK, timeOf } from '../../src/world/app.ts';
import { loadApp } from '../../src/world/load-app.ts';
import { evidence } from '../contract/evidence-sample.ts';
import { folderOf } from '../suite-files.ts';
import { OWN_EVALS } from './own-evals.ts';

type Made = [name: string, args: JsonObject];
const expected = ([functionName, args]: Made): Json => ({ functionName, arguments: args });
const lightOf = (level: Json): Json => expected(['light', { level }]);

function verdictOf(nodes: Json[], ...made: Made[]): string {
  const now = { calls: made.map(([name, args]) => ({ name, arguments: args })) };
  return evaluate(contractOf(nodes), evidence({ app_state: present({ start: { calls: [] }, now }) })).verdict;
}

const MOVE = expected(['move', { item: 'lamp', to: { room: 'hall' } }]);
const MOVED: Made = ['move', { item: 'lamp', to: { room: 'hall', shelf: 2 }, quiet: true }];
const LIGHT = lightOf(3);
const LIT: Made = ['light', { level: 3 }];
const DESK: Made = ['move', { item: 'desk' }];

test('the expected calls in their order pass, with more arguments than are expected', () => {
  expect(verdictOf([MOVE, LIGHT], MOVED, LIT)).toBe('pass');
  expect(verdictOf([expected(['light', {}]), { functionName: 'move' }], LIT, MOVED)).toBe('pass');
});

test.each<[string, Made[]]>([
  ['no call', []],
  ['a call too few', [MOVED]],
  ['an extra call', [MOVED, LIT, LIT]],
  ['the wrong order', [LIT, MOVED]],
  ['another tool', [MOVED, ['dim', { level: 3 }]]],
  ['a wrong argument', [['move', { item: 'lamp', to: { room: 'loft' } }], LIT]],
  ['an argument of another type', [MOVED, ['light', { level: '3' }]]],
  ['an argument that is missing', [MOVED, ['light', {}]]],
])('%s fails', (_what, made) => {
  expect(verdictOf([MOVE, LIGHT], ...made)).toBe('fail');
});

test('an unordered group passes in any order, between those in order', () => {
  const nodes = [LIGHT, { unordered: [MOVE, expected(DESK)] }, LIGHT];
  expect(verdictOf(nodes, LIT, DESK, MOVED, LIT)).toBe('pass');
  expect(verdictOf(nodes, LIT, MOVED, DESK, LIT)).toBe('pass');
  expect(verdictOf(nodes, LIT, MOVED, MOVED, LIT)).toBe('fail');
  expect(verdictOf(nodes, MOVED, LIT, DESK, LIT)).toBe('fail');
});

test.each<[wanted: Json, right: Json, wrong: Json[]]>([
  [
    ['a', 1],
    ['a', 1],
    [['a'], ['a', 1, 2]],
  ],
  [{ $any: true }, { $any: null }, []],
  [{ $contains: 'a.b (c)' }, 'see a.b (c)', ['see aXb (c)', 1]],
  [{ $pattern: String.raw`^\d{4}-[ab]\.x.*y$` }, '2026-a.x and y', ['2026-c.x y', '2026-a.x \r y', 2026]],
  [{ $contains: 'a', $pattern: 'b$' }, 'a b', ['a', 'b']],
])('%j holds of %j', (wanted, right, wrong) => {
  expect(verdictOf([lightOf(wanted)], ['light', { level: right }])).toBe('pass');
  for (const level of wrong) expect(verdictOf([lightOf(wanted)], ['light', { level }])).toBe('fail');
  expect(verdictOf([lightOf(wanted)], ['light', {}])).toBe('fail');
});

test.each<[string, Json]>([
  ['$gt', lightOf({ $gt: 2 })],
  ['$type', lightOf({ $type: 'number' })],
  ['a pattern with a flag', lightOf({ $pattern: '(?i)hall' })],
  ['a dot for one character', lightOf({ $pattern: '^h.ll$' })],
  ['a list of objects', lightOf([{ name: 'hall' }])],
  ['any object', lightOf({})],
  ['a name that may be an index', lightOf({ 0: 'hall' })],
  ['an optional call', { functionName: 'light', optional: true }],
  ['the result of a call', { functionName: 'light', result: 'ok' }],
  ['a made-up result', { functionName: 'light', mockOutput: null }],
  ['an ordered group', { ordered: [MOVE, LIGHT] }],
  ['calls that one call may match', { unordered: [lightOf({ $any: true }), LIGHT] }],
])('%s is left out', (_what, node) => {
  expect(() => contractOf([node])).toThrow(expect.objectContaining({ code: 'eval_not_judged' }));
});

test('an eval without a contract has the reason', async () => {
  const { tasks } = await importCheckout(WEBMCP_EVALS, await folderOf(OWN_EVALS));
  expect(tasks.map(({ id, standing, why }) => [id, standing, why?.code])).toEqual([
    ['house-Move-and-light', 'draft', undefined],
    ['house-Chat', 'needs a contract', 'eval_has_turns'],
    ['house-Nothing', 'needs a contract', 'eval_without_call'],
    ['house-Tomorrow', 'needs a contract', 'eval_needs_today'],
    ['house-Bright', 'needs a contract', 'eval_not_judged'],
    ['house-Empty', 'needs a contract', 'title_empty'],
    ['live-Live', 'draft', undefined],
  ]);
});

test('the app keeps calls in order, and refuses what is no call', async () => {
  const create = await loadApp(path.resolve(import.meta.dirname, '../../apps/webmcp-evals/app.ts'));
  const app = await create({}, timeOf(MACHINE_CLOCK));
  const post = async (body: object): Promise<number> =>
    (await app.fetch(new Request('http://evals.localhost/calls', { method: 'POST', body: JSON.stringify(body) })))
      .status;
  const calls = [LIT, DESK].map(([name, args]) => ({ name, arguments: args }));
  expect([await post(calls[0] ?? {}), await post({ name: 'light' }), await post(calls[1] ?? {})]).toEqual([
    200, 400, 200,
  ]);
  expect(await app.state()).toEqual({ calls });
});
