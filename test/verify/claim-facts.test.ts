import { expect, test } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import type { Row } from '../../src/bundle/row.ts';
import { readSealedRows } from '../../src/bundle/sealed-rows.ts';
import type { Contract } from '../../src/contract/schema.ts';
import { readCampaignFile } from '../../src/plan/campaign-file.ts';
import { claimFacts, restsOnDomAlone } from '../../src/verify/claim-facts.ts';
import { committedBundle } from '../committed-bundle.ts';

async function factsOf(name: string) {
  const layout = bundleLayout(await committedBundle(name));
  const rows: Row[] = [];
  for (const { row } of await readSealedRows(layout)) rows.push(row);
  return claimFacts(await readCampaignFile(layout), rows, true);
}

test('an axis rests only on the episodes that concern it', async () => {
  const { task_completion: clean, fault_recovery: faulty, authentication: signedIn } = await factsOf('stress');
  expect(clean.rows.map(({ faults }) => faults.length)).toEqual([0, 0]);
  expect(clean.plan.episodes_each).toBe(1);
  expect(faulty?.rows.every(({ faults }) => faults.some(({ fired }) => fired))).toBe(true);
  expect(faulty?.rows).toHaveLength(6);
  // There is no tool server to be killed.
  expect(faulty?.voided.map(({ status }) => status)).toEqual(Array.from({ length: 2 }, () => 'not_applicable'));
  expect(faulty?.plan.episodes_each).toBe(4);
  expect(signedIn?.rows.map(({ task }) => task)).toEqual(['sign-in', 'sign-in']);
  expect(signedIn?.plan.episodes_each).toBe(1);
});

test('the repetitions that a suite requires reach the claims about its tasks', async () => {
  const layout = bundleLayout(await committedBundle('account'));
  const campaign = await readCampaignFile(layout);
  const tasks = campaign.plan.tasks.map((planned) => ({ ...planned, least_repetitions: 30 }));
  const facts = claimFacts({ ...campaign, plan: { ...campaign.plan, tasks } }, [], true);
  const least = [...facts.task_completion.tasks.values()].map((each) => each.least_repetitions);
  expect(least).toEqual(Array.from({ length: 2 }, () => 30));
  const { task_completion: own } = claimFacts(campaign, [], true);
  expect([...own.tasks.values()].every((each) => each.least_repetitions === 0)).toBe(true);
});

test('an axis outside the plan has no claim', async () => {
  expect(await factsOf('webvoyager')).toMatchObject({ fault_recovery: null, authentication: null });
  expect(await factsOf('account')).toMatchObject({
    fault_recovery: null,
    authentication: { plan: { episodes_each: 2 } },
  });
});

const TEXT: Contract = { kind: 'dom_text', contains: 'Sent' };
const STATE: Contract = { kind: 'app_state', pointer: '/sent', equals: true };
const LOG: Contract = { kind: 'network', url_pattern: '/send', status_in: [200], since: 'contract_enter' };
const ANSWER: Contract = { kind: 'answer', one_of: ['B-4711'] };
const ALL_STATE: Contract = { kind: 'unchanged' };
const NONE: Contract = { kind: 'dom_count', selector: 'p', op: 'eq', value: 0, fresh: true };

const and = (...children: Contract[]): Contract => ({ kind: 'and', children });
const or = (...children: Contract[]): Contract => ({ kind: 'or', children });
const not = (child: Contract): Contract => ({ kind: 'not', child });

const CASES: [what: string, success: Contract, alone: boolean][] = [
  ['text of the page', TEXT, true],
  ['the address', { kind: 'url', pattern: '/sent$' }, true],
  ['a picture', { kind: 'screenshot_class', class_id: 'sent', distance_max: 4 }, true],
  ['no dialog, and text', { kind: 'and', children: [{ kind: 'no_dialog' }, TEXT] }, true],
  ['either text or app state', { kind: 'or', children: [TEXT, STATE] }, true],
  ['that a text is not there', { kind: 'not', child: TEXT }, true],
  ['text of the reloaded page', { ...TEXT, fresh: true }, false],
  ['a count on the reloaded page', { kind: 'dom_count', selector: 'p', op: 'eq', value: 1, fresh: true }, false],
  ['app state', STATE, false],
  ["the world's log", LOG, false],
  ['the answer', { kind: 'answer', one_of: ['B-4711'] }, false],
  ['text and app state', { kind: 'and', children: [TEXT, STATE] }, false],
  ['either app state or the log', { kind: 'or', children: [STATE, LOG] }, false],
  ['text, within it the log', { kind: 'and', children: [TEXT, { kind: 'and', children: [LOG] }] }, false],
  ['text and the answer', and(TEXT, ANSWER), true],
  ['either text or the answer', or(TEXT, ANSWER), true],
  ['the answer and app state', and(ANSWER, STATE), false],
  ['text, the answer and app state', and(TEXT, ANSWER, STATE), false],
  ['the answer, and either text or app state', and(ANSWER, or(TEXT, STATE)), true],
  ['app state, and either text or the answer', and(STATE, or(TEXT, ANSWER)), false],
  ['text and the state that is as it was', and(TEXT, ALL_STATE), true],
  ['text and the state that is not as it was', and(TEXT, not(ALL_STATE)), true],
  ['text and app state that is not so', and(TEXT, not(STATE)), true],
  ['text and app state that is gone', and(TEXT, { kind: 'app_state', pointer: '/sent', absent: true }), false],
  ['text and app state that is not otherwise than so', and(TEXT, not(not(STATE))), false],
  ['text and no exchange', and(TEXT, { ...LOG, count: { op: 'eq', value: 0 } }), true],
  ['text and at most one exchange', and(TEXT, { ...LOG, count: { op: 'lte', value: 1 } }), true],
  ['text and two exchanges', and(TEXT, { ...LOG, count: { op: 'eq', value: 2 } }), false],
  ['text and that not no exchange is there', and(TEXT, not({ ...LOG, count: { op: 'lte', value: 0 } })), false],
  ['text and what is gone from the reloaded page', and(TEXT, NONE), false],
  ['text and what is not on the reloaded page', and(TEXT, not({ ...TEXT, fresh: true })), true],
  ['app state alone, which is not so', not(STATE), false],
  ['that not both text and app state are so', not(and(TEXT, STATE)), true],
  ['that neither text nor app state is so', not(or(TEXT, STATE)), true],
  ['that neither text nor no app state is so', not(or(TEXT, not(STATE))), false],
];

test.each(CASES)('a contract about %s', (_, success, alone) => {
  expect(restsOnDomAlone(success)).toBe(alone);
});
