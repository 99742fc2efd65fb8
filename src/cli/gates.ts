import { AGENTS } from '../agent/built-in.ts';
import { isFinished, type Report } from '../report/report.ts';
import { counted } from '../report/numbers.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import path from 'node:path';
import type { Baseline } from '../plan/baseline.ts';
import type { Plan } from '../plan/plan.ts';
import { transcriptPin } from '../agent/transcript.ts';
import { clauseOf } from '../report/failure.ts';
import type { EpisodeLine } from '../report/counted-rows.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { nameOfInstance, taskName } from '../task/instance.ts';

export interface Gates {
  exit: ExitCode;
  words: string;
}

/**
 * Checks the gates of a run: controls must fail, all others but baselines must pass, and every entrant must have run.
 */
export function gatesOf(report: Report, baseline: BaselineGate | null = null): Gates {
  if (!isFinished(report)) return { exit: EXIT.infrastructure, words: 'open: the campaign is not complete' };
  const broken = report.episodes.filter(({ status }) => status === 'infra_error').length;
  if (broken > 0) {
    return {
      exit: EXIT.infrastructure,
      words: `open: ${counted(broken, 'episode has', 'episodes have')} no result (infra_error)`,
    };
  }
  const ofBaseline = baseline?.problems.length ?? 0;
  const unmet = [
    ...report.entrants.flatMap((entrant) => problemOf(entrant) ?? []),
    ...(ofBaseline === 0 ? [] : [`${counted(ofBaseline, 'task')} of the baseline`]),
  ];
  if (doesNotVerify(report)) unmet.push('the bundle does not verify');
  if (unmet.length > 0) return { exit: EXIT.gateNotMet, words: `not met: ${unmet.join('; ')}` };
  return { exit: EXIT.done, words: 'all met' };
}

export function doesNotVerify({ claims }: Report): boolean {
  return claims.entrants.some(({ aggregate }) => aggregate.reasons.some(({ code }) => code === 'does_not_verify'));
}

function problemOf({ agent, surface, episodes, passed }: Report['entrants'][number]): string | null {
  const name = `${agent}/${surface}`;
  const decider = AGENTS.find(({ id }) => id === agent)?.decider;
  if (decider === 'control') {
    return passed === 0 ? null : `the control ${name} passed ${counted(passed, 'episode')}, but must pass none`;
  }
  if (episodes === 0) return `${name} could run nothing`;
  return passed === episodes || decider === 'baseline'
    ? null
    : `${name} passed ${passed} of ${counted(episodes, 'episode')}`;
}

export interface BaselineGate {
  met: boolean;
  expected: number;
  passed: number;
  /** Why it is not met, one line for each task. */
  problems: string[];
  /** Names results that are better than the baseline. */
  advice: string | null;
}

/**
 * Compares a run with a baseline: each of its tasks must have passed in every repetition, with the same transcript.
 * @param transcriptHashes of the transcripts that were repeated, from the pins
 */
export function baselineGate(
  baseline: Baseline,
  { plan, suites }: { plan: Plan; suites: readonly LoadedSuite[] },
  episodes: readonly EpisodeLine[],
  transcriptHashes: Readonly<Record<string, string>>,
): BaselineGate {
  const { agent, surface } = baseline;
  const suite = suites.find(({ id }) => id === baseline.suite);
  const suiteTasks = suite?.tasks.map(({ task }) => taskName(task)) ?? [];
  const planned = plan.tasks.filter((each) => each.suite === baseline.suite);
  const contracts = new Map(planned.map((each) => [taskName(each.task), each.contract_hash]));
  const transcriptOf = (task: string): string | null => {
    if (agent !== 'transcript' || suite === undefined) return null;
    return transcriptHashes[transcriptPin(path.dirname(suite.file), task, surface)] ?? null;
  };
  const own = episodes.filter(
    ({ suite: of, agent: by, surface: through }) => of === baseline.suite && by === agent && through === surface,
  );
  const linesOf = (id: string): EpisodeLine[] =>
    own.filter(({ task, instance }) => nameOfInstance(task, instance) === id);
  const tasks = [...new Set(own.map(({ task, instance }) => nameOfInstance(task, instance)))];
  const passed = tasks.filter((task) => linesOf(task).every(({ status }) => status === 'passed'));
  const problems = Object.entries(baseline.tasks).flatMap(([task, expected]) => {
    const why = problemOfTask(linesOf(task), suiteTasks.includes(task));
    if (why !== null) return [`${task}: ${why}`];
    const changed = [
      ...other('contract', expected.contract_hash, contracts.get(task) ?? null),
      ...other('transcript', expected.transcript_sha256, transcriptOf(task)),
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

function problemOfTask(episodes: readonly EpisodeLine[], isInSuite: boolean): string | null {
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

/** Names the place of the assertion that decided. */
function clause(failed: EpisodeLine['failed_contract']): string[] {
  if (failed === null) return [];
  const { name, expected, observed } = clauseOf(failed);
  return [`${name}: expected ${expected}, observed ${observed}`];
}

/** Contracts and transcripts must not change unnoticed: a weaker contract is easier to pass. */
function other(what: string, expected: string | null, now: string | null): string[] {
  if (expected === now) return [];
  const [was, is] = [expected, now].map((hash) => hash?.slice(0, 12) ?? 'none');
  return [
    `its ${what} is not that of the baseline (${was}, now ${is}); review the change, then raise the baseline with "touchstone transcripts"`,
  ];
}
