import { describe, expect, it } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { type CampaignFile, readCampaignFile } from '../../src/plan/campaign-file.ts';
import { rejudgeBundle } from '../../src/verify/rejudge.ts';
import { contractHash, Task, taskHash } from '../../src/task/schema.ts';
import { PASSED, SENT, START, TASK } from './sample-attempt.ts';
import { rejudged } from './staged-bundle.ts';
import { committedBundle } from '../committed-bundle.ts';

describe('a plan with a task that does not match its hashes', () => {
  const EASY = Task.parse({ ...TASK, success: { kind: 'url', pattern: '/sent$' } });
  /** Names the hashes of the known task, and holds the easy one. */
  const swapped = (known: readonly ('task_hash' | 'contract_hash')[]) => (honest: CampaignFile) => ({
    ...honest,
    plan: {
      ...honest.plan,
      tasks: honest.plan.tasks.map((planned) => ({
        ...planned,
        ...(known.includes('task_hash') ? { task_hash: taskHash(TASK) } : {}),
        ...(known.includes('contract_hash') ? { contract_hash: contractHash(TASK) } : {}),
      })),
    },
  });
  const easy = { task: EASY, start: START, end: SENT, row: PASSED };

  it('agrees with no row, be it the task_hash', async () => {
    const why = [{ code: 'task_hash_differs' }];
    expect(await rejudged(easy, { campaign: swapped(['task_hash', 'contract_hash']) })).toMatchObject([
      { agrees: false, why },
    ]);
  });

  it('or the contract_hash', async () => {
    const why = [{ code: 'contract_hash_differs' }];
    expect(await rejudged(easy, { campaign: swapped(['contract_hash']) })).toMatchObject([{ agrees: false, why }]);
  });

  it('but the same task under its own hashes does', async () => {
    expect(await rejudged(easy, { campaign: swapped([]) })).toMatchObject([{ agrees: true }]);
  });
});

it('reports the planned faults of a missing episode', async () => {
  const layout = bundleLayout(await committedBundle('stress'));
  const missing: (string | null)[] = [];
  for await (const { task } of rejudgeBundle(layout, await readCampaignFile(layout), noRows())) missing.push(task);
  expect(missing).toContain('sign-in + page-modal');
});

async function* noRows(): AsyncGenerator<never> {}
