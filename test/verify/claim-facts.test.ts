import { expect, test } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import type { Row } from '../../src/bundle/row.ts';
import { eachSealedRow } from '../../src/bundle/sealed-rows.ts';
import { readCampaignFile } from '../../src/plan/campaign-file.ts';
import { claimFacts } from '../../src/verify/claim-facts.ts';
import { committedBundle } from '../committed-bundle.ts';

/** What claims about a committed bundle follow from. */
async function factsOf(name: string) {
  const layout = bundleLayout(await committedBundle(name));
  const rows: Row[] = [];
  for await (const each of eachSealedRow(layout)) if ('row' in each) rows.push(each.row);
  return claimFacts(await readCampaignFile(layout), rows, true);
}

test('an axis is asked of the episodes that are about it, and of no others', async () => {
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

test('the repetitions that a suite asks for reach the claims about its tasks', async () => {
  const layout = bundleLayout(await committedBundle('account'));
  const campaign = await readCampaignFile(layout);
  const tasks = campaign.plan.tasks.map((planned) => ({ ...planned, least_repetitions: 30 }));
  const facts = claimFacts({ ...campaign, plan: { ...campaign.plan, tasks } }, [], true);
  const least = [...facts.task_completion.tasks.values()].map((each) => each.least_repetitions);
  expect(least).toEqual(Array.from({ length: 2 }, () => 30));
  const { task_completion: own } = claimFacts(campaign, [], true);
  expect([...own.tasks.values()].every((each) => each.least_repetitions === 0)).toBe(true);
});

test('an axis that the plan has nothing of is not asked about', async () => {
  expect(await factsOf('webvoyager')).toMatchObject({ fault_recovery: null, authentication: null });
  expect(await factsOf('account')).toMatchObject({
    fault_recovery: null,
    authentication: { plan: { episodes_each: 2 } },
  });
});
