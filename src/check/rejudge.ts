import { openBlobs } from '../bundle/blobs.ts';
import { loadEvidence } from '../bundle/evidence-file.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import { checkAttemptSeal, readAttemptSeal } from '../bundle/seal.ts';
import type { CampaignFile } from '../campaign/campaign-file.ts';
import type { SealedRow } from '../campaign/rows-file.ts';
import type { PlannedTask } from '../campaign/plan.ts';
import { evaluate } from '../contract/evaluate.ts';
import { decisiveLeaf, type Judgement } from '../contract/judgement.ts';
import type { Verdict } from '../contract/verdict.ts';

/** What an episode is called when it is judged again from its files alone. */
export interface Rejudgement {
  episodeId: string;
  task: string;
  agent: string;
  surface: string;
  recorded: { goal: Verdict | null; guard: Verdict | null };
  /** Null: there is no evidence, or it cannot be read; `why` says which. */
  rejudged: { goal: Verdict; guard: Verdict } | null;
  agrees: boolean;
  why: string | null;
}

/**
 * Judges every counted row of a bundle again, from its stored evidence and the contracts in its plan. An attempt whose
 * files are not those that the ledger sealed is not judged. Writes nothing.
 */
export async function* rejudge(
  layout: BundleLayout,
  campaign: CampaignFile,
  rows: readonly SealedRow[],
): AsyncGenerator<Rejudgement> {
  const blobs = openBlobs(layout.blobs);
  const tasks = new Map(campaign.plan.tasks.map((planned) => [`${planned.suite}/${planned.task.id}`, planned]));
  for (const { row, sealHash } of rows) {
    if (!row.counts) continue;
    const { episode_id: episodeId, task, agent, surface } = row;
    const recorded = { goal: row.goal_verdict, guard: row.guard_verdict };
    const base = { episodeId, task, agent, surface, recorded };
    const planned = tasks.get(`${row.suite}/${row.task}`);
    // A task that was found invalid at its start has no other evidence.
    const name = row.artifacts[row.status === 'invalid_task' ? 'evidence_start' : 'evidence_end'];
    if (planned === undefined || name === undefined) {
      const why = planned === undefined ? 'its task is not in the plan' : 'there is no evidence';
      yield { ...base, rejudged: null, agrees: planned !== undefined && recorded.goal === null, why };
      continue;
    }
    try {
      await checkFiles(layout, row, sealHash);
      const { goal, guard } = judgeAgain(planned, await loadEvidence(blobs, name));
      const rejudged = { goal: goal.verdict, guard: guard?.verdict ?? 'pass' };
      const agrees = rejudged.goal === recorded.goal && rejudged.guard === recorded.guard;
      const leaf = decisiveLeaf(goal) ?? (guard === null ? null : decisiveLeaf(guard));
      yield { ...base, rejudged, agrees, why: leaf?.why ?? null };
    } catch (error) {
      yield { ...base, rejudged: null, agrees: false, why: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** @throws Error naming the first file that is not as it was sealed. */
async function checkFiles(layout: BundleLayout, row: Row, sealHash: string): Promise<void> {
  const { folder } = layout.attempt(row.episode_id, row.attempt);
  const { hash } = await readAttemptSeal(folder);
  if (hash !== sealHash) throw new Error('seal.json is not the one that the ledger has');
  const [problem] = await checkAttemptSeal(folder);
  if (problem !== undefined) throw new Error(`${problem.file}: ${problem.problem}`);
}

function judgeAgain(
  { task, screenshot_classes: screenshotClasses }: PlannedTask,
  evidence: Parameters<typeof evaluate>[1],
): { goal: Judgement; guard: Judgement | null } {
  const goal = evaluate(task.success, evidence, { screenshotClasses });
  return { goal, guard: task.guards === undefined ? null : evaluate(task.guards, evidence, { screenshotClasses }) };
}
