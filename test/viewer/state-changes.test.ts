import { expect, test } from 'vitest';
import { readSealedRows } from '../../src/bundle/sealed-rows.ts';
import { stateChanges } from '../../src/viewer/state-changes.ts';
import { present } from '../../src/contract/evidence.ts';
import type { Json } from '../../src/contract/json.ts';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import { fact } from '../../src/messages/messages.ts';
import { drawnReport } from '../report/drawn-report.ts';
import { PASSED, SENT, START, TASK } from '../verify/sample-attempt.ts';
import { stagedBundle } from '../verify/staged-bundle.ts';

const BROKEN = { ...PASSED, status: 'failed', guard_verdict: 'fail' } as const;
const BEFORE = { messages: 0, users: { ada: 1, bob: 2 } };
const AFTER = { messages: 1, users: { ada: 3, eve: 4 } };

async function changesOf(row: typeof BROKEN | typeof PASSED, [before, after]: [Json, Json] = [BEFORE, AFTER]) {
  const expected = fact('state_unchanged', { has_except: true, except: ['/messages'] });
  const excepting = (event: EpisodeEvent): EpisodeEvent =>
    event.type === 'contract_evaluation' ? { ...event, judgement: { ...event.judgement, expected } } : event;
  const staged = { task: TASK, start: START, end: { ...SENT, app_state: present({ start: before, now: after }) }, row };
  const { layout } = await stagedBundle(staged, { events: (all) => all.map(excepting) });
  const rows = (await readSealedRows(layout)).map((sealed) => sealed.row);
  return [...(await stateChanges(drawnReport(1, rows), layout)).values()];
}

test('changes against "unchanged" are found in the evidence, without the allowed ones', async () => {
  expect(await changesOf(BROKEN)).toEqual([
    [
      { place: '/users/ada', how: 'changed', from: '1', to: '3' },
      { place: '/users/bob', how: 'gone' },
      { place: '/users/eve', how: 'new' },
    ],
  ]);
});

test('entries of lists are named by ids, unless these moved, are missing or are not unique', async () => {
  const users = (...ids: (number | null)[]) => ids.map((id) => (id === null ? {} : { id }));
  const seen = (list: object[]) => list.map((entry) => ({ ...entry, seen: true }));
  const placesOf = async (before: object[], after: object[]) => {
    const sides = [before, after].map((list): Json => JSON.parse(JSON.stringify({ users: list })));
    const [changes = []] = await changesOf(BROKEN, [sides[0] ?? null, sides[1] ?? null]);
    return changes.map(({ place }) => place);
  };
  expect(await placesOf(users(1, 2), [{ id: 1 }, ...seen(users(2)), { id: 3 }])).toEqual([
    '/users/[id=2]/seen',
    '/users/[id=3]',
  ]);
  expect(await placesOf(users(1, 2), seen(users(2)))).toEqual(['/users/0/id', '/users/0/seen', '/users/[id=2]']);
  expect(await placesOf(users(7, 7, null), seen(users(7, 7, null)))).toEqual(
    [0, 1, 2].map((at) => `/users/${at}/seen`),
  );
});

test('an episode that broke no guard has no changes', async () => {
  expect(await changesOf(PASSED)).toEqual([]);
});

test('long values are cut to the part that differs', async () => {
  const long = 'same '.repeat(100);
  const [changes = []] = await changesOf(BROKEN, [{ text: `${long}old` }, { text: `${long}new${long}` }]);
  expect(changes).toEqual([
    {
      place: '/text',
      how: 'changed',
      from: '…same same old"',
      to: expect.stringMatching(/^…same same newsame .{20,30}…$/),
    },
  ]);
});
