import { type BlobStore, openBlobs } from '../bundle/blobs.ts';
import { loadEvidence } from '../bundle/evidence-file.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import { checkAttemptSeal, readAttemptSeal } from '../bundle/seal.ts';
import type { UnreadableRow } from '../bundle/sealed-rows.ts';
import { canonicalJson } from '../contract/canonical.ts';
import { finalUrlIn } from '../contract/evidence.ts';
import { faultAtStart, judgeTask, pathInTask, type TaskJudgement } from '../contract/judge-task.ts';
import { type Status, statusOf } from '../contract/status.ts';
import type { Verdict } from '../contract/verdict.ts';
import type { Fact, StoredFact } from '../messages/message.ts';
import { fact, messageFor } from '../messages/messages.ts';
import type { Moment } from '../episode/events.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import type { PlannedEpisode, PlannedTask } from '../plan/plan.ts';
import { PlannedEpisodes } from '../plan/part-of-plan.ts';
import type { Recorded } from '../row/recorded.ts';
import { episodeName, nameWithFaults, taskName } from '../task/instance.ts';
import { AgainstPlan, NotJudged, refuseIfItCanRun } from './against-plan.ts';
import { factIn } from './finding.ts';
import type { ReadAttempt } from './read-attempts.ts';

/** The part of an episode's result that follows from its evidence. */
export interface JudgedOutcome {
  status: Status;
  goal: Verdict | null;
  guard: Verdict | null;
  /** The assertion that decided, for example at `success.children.0`. */
  failed: { path: string; kind: string } | null;
}

export interface Rejudgement {
  episodeId: string;
  /** With its faults. Null, as are agent and surface: the plan does not have the episode, and it has no row. */
  task: string | null;
  agent: string | null;
  surface: string | null;
  /** Null: the plan has the episode, and the bundle has no counted row for it. */
  attempt: number | null;
  /** Differences between its row and the record. */
  problems: readonly Fact[];
  /** Null: the row is missing or unreadable. */
  recorded: JudgedOutcome | null;
  /** Null: it could not be judged, for the reasons in `why`. */
  rejudged: JudgedOutcome | null;
  agrees: boolean;
  /** The differences, or else why the deciding assertion decided; empty after a pass. */
  why: readonly Fact[];
}

type JudgedBy = (planned: PlannedTask) => PlannedTask;

interface RejudgeOptions {
  episodes?: PlannedEpisodes;
  /** Absent: by the contract in the plan. */
  judgedBy?: JudgedBy;
}

interface Again {
  rejudged: JudgedOutcome;
  why: readonly Fact[];
}

/**
 * Judges every counted row again from its stored evidence and the contract in the plan, and compares both verdicts, the status, the
 * deciding assertion, and the validity of the task at the start. Attempts whose files or rows differ from the record are not
 * judged. Planned episodes without a row come last. Holds one row and its evidence at a time; writes nothing.
 */
export async function* rejudgeBundle(
  layout: BundleLayout,
  campaign: CampaignFile,
  attempts: AsyncIterable<ReadAttempt | UnreadableRow>,
  { episodes = new PlannedEpisodes(campaign), judgedBy = (planned) => planned }: RejudgeOptions = {},
): AsyncGenerator<Rejudgement> {
  const blobs = openBlobs(layout.blobs);
  const { plan, pins } = campaign;
  const planned = new AgainstPlan(plan, episodes);
  for await (const each of attempts) {
    if ('problem' in each) {
      const { episodeId, attempt, problem: why } = each;
      yield withoutRow(episodeId, planned.unreadable(episodeId), { attempt, why: [why] });
    } else if (each.row.counts) {
      yield await rejudgeRow(each, layout, { planned, pins, blobs, judgedBy });
    }
  }
  const why = [fact('row_missing')];
  for (const episode of planned.missing()) yield withoutRow(episode.episodeId, episode, { attempt: null, why });
}

interface Judging {
  planned: AgainstPlan;
  pins: CampaignFile['pins'];
  blobs: BlobStore;
  judgedBy: JudgedBy;
}

async function rejudgeRow(
  { row, sealHash, recorded, problems }: ReadAttempt,
  layout: BundleLayout,
  { planned, pins, blobs, judgedBy }: Judging,
): Promise<Rejudgement> {
  const { episode_id: episodeId, attempt, agent, surface } = row;
  const before = outcomeIn(row);
  const base = { episodeId, attempt, task: episodeName(row), agent, surface, recorded: before, problems };
  try {
    const episode = planned.episodeOf(row);
    await checkFiles(layout, row, sealHash);
    if (problems.length > 0) return { ...base, rejudged: null, agrees: false, why: problems };
    await refuseIfItCanRun(row, episode, pins);
    const again = await judgeAgain(row, recorded, judgedBy(episode.planned), blobs);
    const differences = differencesOf(before, again.rejudged);
    return {
      ...base,
      ...again,
      agrees: differences.length === 0,
      why: differences.length > 0 ? differences : again.why,
    };
  } catch (error) {
    return { ...base, rejudged: null, agrees: false, why: [factIn(error)] };
  }
}

function withoutRow(
  episodeId: string,
  episode: PlannedEpisode | null,
  rest: Pick<Rejudgement, 'attempt' | 'why'>,
): Rejudgement {
  const task = episode === null ? null : plannedName(episode.planned);
  const cell = { task, agent: episode?.agent ?? null, surface: episode?.surface ?? null };
  return { episodeId, ...cell, problems: [], recorded: null, rejudged: null, agrees: false, ...rest };
}

function plannedName({ task, fault }: PlannedTask): string {
  return nameWithFaults(taskName(task), fault === undefined ? [] : [fault.id]);
}

/** @throws NotJudged naming the first file that differs from its seal */
async function checkFiles(layout: BundleLayout, row: Row, sealHash: string): Promise<void> {
  const { folder } = layout.attempt(row.episode_id, row.attempt);
  const { hash } = await readAttemptSeal(folder);
  if (hash !== sealHash) throw new NotJudged(fact('seal_differs'));
  const [problem] = await checkAttemptSeal(folder);
  if (problem !== undefined)
    throw new NotJudged(fact('sealed_file_differs', { file: problem.file, problem: messageFor(problem.problem) }));
}

/** @throws NotJudged when evidence is missing or contradicts the row */
async function judgeAgain(row: Row, recorded: Recorded, planned: PlannedTask, blobs: BlobStore): Promise<Again> {
  const { stop, status } = row;
  const hasStarted = recorded.moments.start.judged !== null;
  const hasEnded = recorded.moments.end.judged !== null;
  // Only after a breakdown may evidence be missing: without it no status can be checked.
  if (stop !== null && stop !== 'infra_error') {
    if (!hasStarted) throw new NotJudged(fact('no_evidence', { moment: 'start' }));
    if (!hasEnded && stop !== 'invalid_task') throw new NotJudged(fact('no_evidence', { moment: 'end' }));
  }
  const start = hasStarted ? await judgedAt('start', recorded, planned, blobs) : null;
  const end = hasEnded ? await judgedAt('end', recorded, planned, blobs) : null;
  const fault = start === null ? null : faultAtStart(start);
  if (stop === 'invalid_task' && fault === null) throw new NotJudged(fact('task_was_valid'));
  if (stop !== 'invalid_task' && fault !== null) {
    throw new NotJudged(fact('task_was_invalid', { path: pathInTask(fault), verdict: fault.leaf.verdict }));
  }
  const judged = end ?? start;
  const decisive = stop === 'invalid_task' ? fault : (judged?.decisive ?? null);
  const failed = decisive === null ? null : { path: pathInTask(decisive), kind: decisive.leaf.kind };
  const verdicts = { goal: judged?.goal ?? null, guard: judged?.guard ?? null };
  const rejudged = { status: stop === null ? status : statusOf(stop, verdicts), ...verdicts, failed };
  return { rejudged, why: decisive === null ? [] : [asFact(decisive.leaf.why)] };
}

function asFact(stored: StoredFact): Fact {
  return typeof stored === 'string' ? fact('not_checked', { why: stored }) : stored;
}

/** @throws NotJudged when the evidence of a moment is missing, or its address or answer differs from the events */
async function judgedAt(
  moment: Moment,
  { moments, last }: Recorded,
  { task, screenshot_classes: screenshotClasses }: PlannedTask,
  blobs: BlobStore,
): Promise<TaskJudgement> {
  const { captured, judged } = moments[moment];
  if (captured === null) throw new NotJudged(fact('no_evidence', { moment }));
  const evidence = await loadEvidence(blobs, captured.evidence);
  if (judged !== null && (finalUrlIn(evidence) ?? judged.url) !== judged.url) {
    throw new NotJudged(fact('address_differs', { moment }));
  }
  const answer = moment === 'start' ? null : (last.stop?.answer ?? null);
  // A later breakdown drops the answer.
  if (last.stop?.stop !== 'infra_error' && canonicalJson(answer) !== canonicalJson(evidence.answer)) {
    throw new NotJudged(fact('evidence_answer_differs', { moment }));
  }
  return judgeTask(task, evidence, { screenshotClasses });
}

function outcomeIn({ status, goal_verdict: goal, guard_verdict: guard, failed_contract: failed }: Row): JudgedOutcome {
  return { status, goal, guard, failed: failed === null ? null : { path: failed.path, kind: failed.kind } };
}

function differencesOf(recorded: JudgedOutcome, now: JudgedOutcome): Fact[] {
  const [before, after] = [inWords(recorded), inWords(now)];
  return after.flatMap(([name, value], index) => {
    const was = before[index]?.[1] ?? '';
    return was === value ? [] : [fact('outcome_differs', { field: name, was, is: value })];
  });
}

function inWords({ status, goal, guard, failed }: JudgedOutcome): [string, string][] {
  return [
    ['status', status],
    ['goal_verdict', String(goal)],
    ['guard_verdict', String(guard)],
    ['failed_contract', failed === null ? 'null' : `${failed.kind} at ${failed.path}`],
  ];
}
