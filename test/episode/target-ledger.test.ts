import { expect, test } from 'vitest';
import { inventedBy, ledgerEntry, type TargetEntry, targetFigures } from '../../src/episode/target-ledger.ts';
import type { TargetFacts } from '../../src/task/target.ts';

const TOOLS = [
  {
    name: 'click',
    description: '',
    input_schema: { type: 'object', properties: { ref: { type: 'string' }, button: { enum: ['left', 'right'] } } },
  },
];
const SEEN: TargetFacts = {
  shown: true,
  shown_before: false,
  matched_then: 1,
  matched_now: 1,
  actionable: true,
  dispatched: true,
  invented: [],
};
const PHANTOM: TargetFacts = { ...SEEN, shown: false, matched_then: 0, matched_now: 0, dispatched: false };
const REPLY = { ok: true, text: '', kind: 'text' };

test.each([
  ['a tool of the list, with arguments of its schema', 'click', { ref: 'e1', button: 'left' }, []],
  ['a tool of no list', 'clickety', { ref: 'e1' }, ['tool clickety']],
  ['an argument of no schema', 'click', { selector: '#a' }, ['selector']],
  ['a value of no list', 'click', { button: 'middle' }, ['button: "middle"']],
])('%s', (_what, tool, args, invented) => {
  expect(inventedBy({ tool, args }, TOOLS)).toEqual(invented);
});

test('a made-up target is kept short, however long it is', () => {
  const args = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${at}`.padStart(5_000, 'x'), at]));
  const invented = inventedBy({ tool: 'click', args }, TOOLS);
  expect(JSON.stringify(invented).length).toBeLessThan(5_000);
});

test('a made-up target is counted whatever the surface reports', () => {
  const call = { tool: 'click', args: { selector: '#a' } };
  expect(ledgerEntry(call, TOOLS, { ...REPLY, target: SEEN })).toMatchObject({ ...SEEN, invented: ['selector'] });
  expect(ledgerEntry(call, TOOLS, { ...REPLY, target: { untold: 'free text' } })).toMatchObject({
    invented: ['selector'],
  });
  expect(ledgerEntry(call, TOOLS, REPLY)).toMatchObject({ invented: ['selector'], dispatched: true });
});

test('a surface that reports no targets is not a surface without phantoms', () => {
  const entry = ledgerEntry({ tool: 'click', args: {} }, TOOLS, REPLY);
  expect(targetFigures([entry], true)).toMatchObject({ classes: null, hallucination: null });
  expect(targetFigures([entry], true).why).toContain('does not say');
});

const SENT = { ...PHANTOM, dispatched: true };
test.each<[string, TargetEntry[], boolean, string | null]>([
  ['nothing made up', [SEEN, null], true, 'none'],
  ['nothing aimed at', [null], false, 'none'],
  ['a phantom that nothing was sent for', [SEEN, PHANTOM], true, 'filtered'],
  ['the same beside a failure that has other reasons', [PHANTOM], false, 'filtered'],
  ['a phantom that was sent, and the task failed', [SENT], false, 'reached_failed'],
  ['a phantom that was sent, and the task passed: silent damage', [SENT, PHANTOM], true, 'reached_succeeded'],
  ['a click that was blocked, which is no phantom', [{ ...SEEN, actionable: false, dispatched: false }], true, 'none'],
  ['a selector that matched several, which is no phantom', [{ ...SEEN, matched_now: 3 }], true, 'none'],
  ['an action that cannot be told', [SEEN, { untold: 'free text' }], true, null],
  ['the same beside the worst', [SENT, { untold: 'free text' }], true, 'reached_succeeded'],
])('%s', (_what, entries, passed, expected) => {
  expect(targetFigures(entries, passed).hallucination).toBe(expected);
});

test('every action of every attempt is counted in its class', () => {
  expect(targetFigures([SEEN, SEEN, PHANTOM, null], false).classes).toEqual({ resolved: 2, phantom: 1 });
});
