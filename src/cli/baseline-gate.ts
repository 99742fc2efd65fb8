import path from 'node:path';
import { withIndices } from '../task/source/source.ts';
import { type Baseline, readBaseline } from '../plan/baseline.ts';
import type { Plan } from '../plan/plan.ts';
import { transcriptPin } from '../agent/transcript.ts';
import { foundText } from '../report/failure.ts';
import type { EpisodeLine } from '../report/counted-rows.ts';
import type { Report } from '../report/report.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { nameOfInstance, taskName } from '../task/instance.ts';
import { UsageError } from './exit-code.ts';

/** Results of a run that a baseline is compared with. */
export interface RanForBaseline {
  episodes: readonly EpisodeLine[];
  /** Names of all tasks that the suite has now, be they in the run or not. */
  suiteTasks: readonly string[];
  /** Hash of the contract by which a task was judged; null where it is in no plan. */
  contractOf: (task: string) => string | null;
  /** SHA-256 of the transcript that was repeated for a task; null where none was. */
  transcriptOf: (task: string) => string | null;
}

/** Result of comparing a run with its baseline. */
export interface BaselineGate {
  met: boolean;
  expected: number;
  passed: number;
  /** Why it is not met, a line a task. */
  problems: string[];
  /** Names results that are better than the baseline; null when none is. */
  advice: string | null;
}

/** Compares a run with a baseline when it is over, given the hashes of the transcripts that were repeated, by their pins. */
type Compare = (report: Report, transcriptHashes: Readonly<Record<string, string>>) => BaselineGate;

/**
 * Reads a baseline before anything runs.
 * @throws CampaignError when the file is no baseline, UsageError when it is of what this plan does not run.
 */
export async function againstBaseline(file: string, plan: Plan, suites: readonly LoadedSuite[]): Promise<Compare> {
  const baseline = await readBaseline(file);
  const { agent, surface } = baseline;
  const suite = suites.find(({ id }) => id === baseline.suite);
  const isRun = plan.entrants.some((entrant) => entrant.agent === agent && entrant.surface === surface);
  if (suite === undefined || !isRun) {
    const remedy = `run ${baseline.suite} with --agent ${agent} --surface ${surface}, or name another baseline`;
    throw new UsageError(`${file} is for ${agent}/${surface} on ${baseline.suite}, which is not in this run`, remedy);
  }
  const contracts = new Map(
    plan.tasks
      .filter((planned) => planned.suite === suite.id)
      .map((planned) => [taskName(planned.task), planned.contract_hash]),
  );
  const suiteTasks = suite.tasks.map(({ task }) => taskName(task));
  const folder = path.dirname(suite.file);
  return ({ episodes }, hashes) =>
    baselineGate(baseline, {
      episodes,
      suiteTasks,
      contractOf: (task) => contracts.get(task) ?? null,
      transcriptOf: (task) => (agent === 'transcript' ? (hashes[transcriptPin(folder, task, surface)] ?? null) : null),
    });
}

/** Every task of the baseline must be there, must have passed in every repetition, and must have repeated the same transcript. */
export function baselineGate(baseline: Baseline, ran: RanForBaseline): BaselineGate {
  const own = ran.episodes.filter(
    ({ suite, agent, surface }) => suite === baseline.suite && agent === baseline.agent && surface === baseline.surface,
  );
  const of = (id: string): EpisodeLine[] => own.filter(({ task, instance }) => nameOfInstance(task, instance) === id);
  const tasks = [...new Set(own.map(({ task, instance }) => nameOfInstance(task, instance)))];
  const passed = tasks.filter((task) => of(task).every(({ status }) => status === 'passed'));
  const problems = Object.entries(baseline.tasks).flatMap(([task, expected]) => {
    const why = problemOf(of(task), ran.suiteTasks.includes(task));
    if (why !== null) return [`${task}: ${why}`];
    const changed = [
      ...other('contract', expected.contract_hash, ran.contractOf(task)),
      ...other('transcript', expected.transcript_sha256, ran.transcriptOf(task)),
    ];
    return changed.map((each) => `${task}: ${each}`);
  });
  const more = passed.filter((task) => !Object.hasOwn(baseline.tasks, task));
  return {
    met: problems.length === 0,
    expected: baseline.expected_pass_count,
    passed: passed.length,
    problems,
    advice: more.length === 0 ? null : `passed beyond the baseline, which should be raised: ${more.join(', ')}`,
  };
}

function problemOf(episodes: readonly EpisodeLine[], isInSuite: boolean): string | null {
  if (episodes.length === 0) {
    return isInSuite
      ? 'it was not run (--task): a part of the suite is not the whole gate'
      : 'the suite no longer has a task with this id; it is missing or was renamed';
  }
  const bad = episodes.find(({ status }) => status !== 'passed');
  if (bad === undefined) return null;
  if (bad.why_not !== null) return `${bad.status}, not passed: ${bad.why_not}`;
  return [
    `${bad.status}, not passed`,
    ...clause(bad.failed_contract),
    ...(bad.detail === null ? [] : [bad.detail]),
  ].join('; ');
}

/** The assertion that decided, by its place in the task. */
function clause(failed: EpisodeLine['failed_contract']): string[] {
  if (failed === null) return [];
  const { path: place, kind, expected, observed } = failed;
  return [
    `${withIndices(place)} (${kind}): expected ${foundText(expected) ?? 'nothing'}, observed ${foundText(observed) ?? 'nothing'}`,
  ];
}

/** A weaker contract is passed more easily, and another transcript does something else: neither may change unseen. */
function other(what: string, expected: string | null, now: string | null): string[] {
  if (expected === now) return [];
  const [was, is] = [expected, now].map((hash) => hash?.slice(0, 12) ?? 'none');
  return [
    `its ${what} is not that of the baseline (${was}, now ${is}); review the change, then raise the baseline with "touchstone transcripts"`,
  ];
}
