import { type BlobStore, openBlobs } from '../bundle/blobs.ts';
import { loadEvidence } from '../bundle/evidence-file.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import { checkAttemptSeal, readAttemptSeal } from '../bundle/seal.ts';
import type { SealedRow, UnreadableRow } from '../bundle/sealed-rows.ts';
import { AGENTS, impossiblePair } from '../plan/agents.ts';
import { OF_APP_TOOLS } from '../plan/app-tools.ts';
import { canStrike } from '../plan/can-strike.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import type { PlannedEpisode, PlannedTask } from '../plan/plan.ts';
import { canonicalJson } from '../contract/canonical.ts';
import type { Evidence } from '../contract/evidence.ts';
import { episodeName, struckName, taskName } from '../task/instance.ts';
import { faultAtStart, judgeTask, pathInTask } from '../contract/judge-task.ts';
import { NO_SECRETS } from '../bundle/redact.ts';
import { type Status, statusOf } from '../contract/status.ts';
import type { Verdict } from '../contract/verdict.ts';
import { refuseOtherEvents } from './against-events.ts';
import { AgainstPlan } from './against-plan.ts';
import { PlannedEpisodes } from '../plan/planned-episodes.ts';
import { isFinalUrl } from './final-url.ts';

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
  /** With what was planned to go wrong in it. Null, as are agent and surface: the ledger has an episode that has no row and is not in the plan. */
  task: string | null;
  agent: string | null;
  surface: string | null;
  /** The plan has this episode, and the bundle has no row that it is counted by. */
  missing: boolean;
  /** Null: it is missing, or its row cannot be read. */
  recorded: Outcome | null;
  /** Null: it could not be judged; `why` says what is missing or wrong. */
  rejudged: Outcome | null;
  agrees: boolean;
  /** What differs; if nothing does, why the deciding assertion decided. */
  why: string | null;
}

/** The planned task with the contract that it is judged by. */
type JudgedBy = (planned: PlannedTask) => PlannedTask;

interface RejudgeOptions {
  episodes?: PlannedEpisodes;
  /** Absent: by the contract in the plan. */
  judgedBy?: JudgedBy;
}

interface Again {
  rejudged: Outcome;
  why: string | null;
}

/**
 * Judges every counted row of a bundle again, from its stored evidence and the contracts in its plan, and compares all
 * that follows from them: both verdicts, the status, the assertion that decided, and that the task was valid at the
 * start. An attempt whose files are not those that the ledger sealed is not judged, nor is a row that is not of the
 * plan; one whose row is no row is told. At the end come the planned episodes that have none. Holds one row and its evidence at a time; writes nothing.
 */
export async function* rejudge(
  layout: BundleLayout,
  campaign: CampaignFile,
  rows: AsyncIterable<SealedRow | UnreadableRow>,
  { episodes = new PlannedEpisodes(campaign.plan), judgedBy = (planned) => planned }: RejudgeOptions = {},
): AsyncGenerator<Rejudgement> {
  const blobs = openBlobs(layout.blobs);
  const plan = new AgainstPlan(campaign, episodes);
  for await (const each of rows) {
    if ('problem' in each) {
      yield withoutRow(each.episodeId, plan.unreadable(each.episodeId), { missing: false, why: each.problem });
      continue;
    }
    plan.attempted(each.row);
    if (each.row.counts) yield await rejudgeRow(each, layout, plan, blobs, judgedBy);
  }
  const why = 'the plan has this episode, and the bundle has no row that counts for it';
  for (const episode of plan.missing()) yield withoutRow(episode.episodeId, episode, { missing: true, why });
}

async function rejudgeRow(
  { row, sealHash }: SealedRow,
  layout: BundleLayout,
  plan: AgainstPlan,
  blobs: BlobStore,
  judgedBy: JudgedBy,
): Promise<Rejudgement> {
  const { episode_id: episodeId, agent, surface } = row;
  const task = episodeName(row);
  const recorded = recordedIn(row);
  const base = { episodeId, task, agent, surface, missing: false, recorded };
  try {
    const { planned } = plan.episodeOf(row);
    await checkFiles(layout, row, sealHash);
    const again = await judgeAgain(row, judgedBy(planned), blobs);
    await refuseOtherEvents(row, layout);
    const differences = differencesOf(recorded, again.rejudged);
    return { ...base, ...again, agrees: differences.length === 0, why: differences.join('; ') || again.why };
  } catch (error) {
    return { ...base, rejudged: null, agrees: false, why: error instanceof Error ? error.message : String(error) };
  }
}

function withoutRow(
  episodeId: string,
  episode: PlannedEpisode | null,
  told: Pick<Rejudgement, 'missing' | 'why'>,
): Rejudgement {
  const task = episode === null ? null : plannedName(episode.planned);
  const cell = { task, agent: episode?.agent ?? null, surface: episode?.surface ?? null };
  return { episodeId, ...cell, recorded: null, rejudged: null, agrees: false, ...told };
}

function plannedName({ task, fault }: PlannedTask): string {
  return struckName(taskName(task), fault === undefined ? [] : [fault.id]);
}

/** @throws Error naming the first file that is not as it was sealed. */
async function checkFiles(layout: BundleLayout, row: Row, sealHash: string): Promise<void> {
  const { folder } = layout.attempt(row.episode_id, row.attempt);
  const { hash } = await readAttemptSeal(folder);
  if (hash !== sealHash) throw new Error('seal.json is not the one that the ledger has');
  const [problem] = await checkAttemptSeal(folder);
  if (problem !== undefined) throw new Error(`${problem.file}: ${problem.problem}`);
}

const OTHER_URL = 'final_url is not that of its evidence';

/** @throws Error when evidence is missing, or shows that this row cannot be. */
async function judgeAgain(row: Row, planned: PlannedTask, blobs: BlobStore): Promise<Again> {
  const { stop, artifacts } = row;
  const { evidence_start: start, evidence_end: end } = artifacts;
  if (stop === null) {
    await refuseIfItCanRun(row, planned);
    return unjudged(row);
  }
  // A breakdown may come before the end, or before the start, and right after a start that was at fault.
  if (stop === 'infra_error') {
    const name = end ?? start;
    const evidence = name === undefined ? null : await loadEvidence(blobs, name);
    const last = end === undefined ? null : evidence;
    if (row.final_url !== null && (last === null || !isFinalUrl(row, last))) throw new Error(OTHER_URL);
    return evidence === null ? unjudged(row) : judgedOn(row, planned, evidence);
  }
  // To drop evidence would leave a status that nobody can check.
  if (start === undefined) throw new Error('there is no evidence of the start');
  const startEvidence = await loadEvidence(blobs, start);
  if (stop === 'invalid_task') return judgedOn(row, planned, startEvidence);
  refuseFaultAtStart(planned, startEvidence);
  if (end === undefined) throw new Error('there is no evidence of the end');
  const endEvidence = await loadEvidence(blobs, end);
  if (canonicalJson(row.answer) !== canonicalJson(endEvidence.answer)) {
    throw new Error('its answer is not that of the evidence');
  }
  if (!isFinalUrl(row, endEvidence)) throw new Error(OTHER_URL);
  return judgedOn(row, planned, endEvidence);
}

/** Whether these agents can run follows from task and surface alone, by the same code that decides it in a run. */
async function refuseIfItCanRun(
  { status, agent: id, surface, iteration }: Row,
  { suite, task, fault }: PlannedTask,
): Promise<void> {
  const choice = AGENTS.find((each) => each.id === id);
  if (status !== 'not_applicable' || choice === undefined) return;
  if (fault !== undefined && !canStrike({ suite, task, fault }, choice, surface)) return;
  if (choice.decider !== 'control' && choice.decider !== 'reference') return;
  // Whether an app has tools of its own is a matter of its suite, which no bundle holds.
  if (impossiblePair(choice, surface) !== null || OF_APP_TOOLS.has(surface)) return;
  const hidden = { contracts: [], around: [] };
  const materials = {
    suite,
    task,
    fault: null,
    surface,
    solutionFor: 'page' as const,
    iteration,
    suiteFolder: '',
    hidden,
    redactor: NO_SECRETS,
  };
  const cell = await choice.forCell(materials);
  if ('agent' in cell) throw new Error(`it is not_applicable, and agent ${id} can run this task`);
}

/** An episode whose task was invalid at the start says nothing about its entrant, whatever came of it. */
function refuseFaultAtStart({ task, screenshot_classes: screenshotClasses }: PlannedTask, evidence: Evidence): void {
  const fault = faultAtStart(judgeTask(task, evidence, { screenshotClasses }));
  if (fault === null) return;
  throw new Error(`its task was invalid at the start: ${pathInTask(fault)} was ${fault.leaf.verdict}`);
}

/** An episode that never ran, or broke down before anything was captured. */
function unjudged({ stop, status, artifacts }: Row): Again {
  if (Object.keys(artifacts).length > 0) throw new Error(`it is ${status} without evidence, and it left artifacts`);
  const neverRan = status === 'not_applicable' || status === 'unavailable';
  if (stop === null && !neverRan) throw new Error(`it is ${status} without having stopped`);
  const nothing = { goal: null, guard: null };
  const rejudged = { ...nothing, status: stop === null ? status : statusOf(stop, nothing), failed: null };
  return { rejudged, why: null };
}

function judgedOn(
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
