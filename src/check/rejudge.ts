import { openBlobs } from '../bundle/blobs.ts';
import { loadEvidence } from '../bundle/evidence-file.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import { checkAttemptSeal, readAttemptSeal } from '../bundle/seal.ts';
import type { SealedRow } from '../bundle/sealed-rows.ts';
import type { CampaignFile } from '../campaign/campaign-file.ts';
import type { PlannedTask } from '../campaign/plan.ts';
import type { Evidence } from '../contract/evidence.ts';
import { faultAtStart, judgeTask, pathInTask } from '../contract/judge-task.ts';
import { type Status, statusOf } from '../contract/status.ts';
import type { Verdict } from '../contract/verdict.ts';

/** What came of an episode, as far as its evidence tells. */
export interface Outcome {
  status: Status;
  goal: Verdict | null;
  guard: Verdict | null;
  /** The assertion that decided: its kind, and its place as rows name it, for example `success.children.0`. */
  failed: { path: string; kind: string } | null;
}

/** What an episode is called when it is judged again from its files alone. */
export interface Rejudgement {
  episodeId: string;
  task: string;
  agent: string;
  surface: string;
  recorded: Outcome;
  /** Null: it could not be judged; `why` says what is missing or wrong. */
  rejudged: Outcome | null;
  agrees: boolean;
  /** What differs; if nothing does, why the deciding assertion decided. */
  why: string | null;
}

interface Again {
  rejudged: Outcome;
  why: string | null;
}

/**
 * Judges every counted row of a bundle again, from its stored evidence and the contracts in its plan, and compares all
 * that follows from them: both verdicts, the status, the assertion that decided. An attempt whose files are not those
 * that the ledger sealed is not judged. Writes nothing.
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
    const recorded = recordedIn(row);
    const base = { episodeId, task, agent, surface, recorded };
    try {
      await checkFiles(layout, row, sealHash);
      const planned = tasks.get(`${row.suite}/${row.task}`);
      if (planned === undefined) throw new Error('its task is not in the plan');
      const name = evidenceOf(row);
      const again = name === null ? unjudged(row) : judgedAgain(row, planned, await loadEvidence(blobs, name));
      const differences = differencesOf(recorded, again.rejudged);
      yield { ...base, ...again, agrees: differences.length === 0, why: differences.join('; ') || again.why };
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

/**
 * The evidence that the row's verdicts rest on; null where an honest episode may have none.
 * @throws Error where there has to be some: dropping it would leave a status that nobody can check.
 */
function evidenceOf({ stop, artifacts: { evidence_start: start, evidence_end: end } }: Row): string | null {
  if (stop === null) return null;
  // A breakdown may come before the end, or before the start.
  if (stop === 'infra_error') return end ?? start ?? null;
  const name = stop === 'invalid_task' ? start : end;
  if (name === undefined) throw new Error('there is no evidence');
  return name;
}

/** An episode that never ran, or broke down before anything was captured. */
function unjudged({ stop, status }: Row): Again {
  const neverRan = status === 'not_applicable' || status === 'unavailable';
  if (stop === null && !neverRan) throw new Error(`it is ${status} without having stopped`);
  const nothing = { goal: null, guard: null };
  const rejudged = { ...nothing, status: stop === null ? status : statusOf(stop, nothing), failed: null };
  return { rejudged, why: null };
}

function judgedAgain(
  { stop, status }: Row,
  { task, screenshot_classes: screenshotClasses }: PlannedTask,
  evidence: Evidence,
): Again {
  const judged = judgeTask(task, evidence, { screenshotClasses });
  const { goal, guard } = judged;
  const decisive = stop === 'invalid_task' ? faultAtStart(judged) : judged.decisive;
  if (stop === 'invalid_task' && decisive === null) throw new Error('its task was valid at the start');
  const failed = decisive === null ? null : { path: pathInTask(decisive), kind: decisive.leaf.kind };
  const rejudged = { status: stop === null ? status : statusOf(stop, judged), goal, guard, failed };
  return { rejudged, why: decisive?.leaf.why ?? null };
}

function recordedIn({ status, goal_verdict: goal, guard_verdict: guard, failed_contract: failed }: Row): Outcome {
  return { status, goal, guard, failed: failed === null ? null : { path: failed.path, kind: failed.kind } };
}

function differencesOf(recorded: Outcome, now: Outcome): string[] {
  const [before, after] = [inWords(recorded), inWords(now)];
  return after.flatMap(([name, value], index) => {
    const old = before[index]?.[1];
    return old === value ? [] : [`${name} was recorded as ${old} and is ${value}`];
  });
}

function inWords({ status, goal, guard, failed }: Outcome): [string, string][] {
  return [
    ['status', status],
    ['goal_verdict', String(goal)],
    ['guard_verdict', String(guard)],
    ['failed_contract', failed === null ? 'null' : `${failed.kind} at ${failed.path}`],
  ];
}
