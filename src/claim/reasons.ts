import type { Fact } from '../messages/message.ts';
import type { ParamsOf } from '../messages/template.ts';
import type { REASONS } from '../messages/reasons.ts';
import type { FiguredRow } from './figured-row.ts';
import type { ClaimFacts, Question } from './claim-facts.ts';
import { cellOf, cellText, countOf, distinct, joined, tally } from './group.ts';
import { entrantName, isOf, namesOf } from './figures.ts';
import { isUnknown, ran } from './honesty.ts';
import { isBrowserNotKeptApart, isNotKeptApart, rivalsOf } from './kept-apart.ts';
import { hasFired, faultyCellOf } from './faulty-rows.ts';
import { manyReruns, unevenReruns } from './reruns.ts';
import { missedSome } from './same-web.ts';
import { hasPassed } from './success.ts';
import { AXES, POLICY } from './policy.ts';
import { versionChanged } from './version-changed.ts';

export type ReasonCode = keyof typeof REASONS;

/** One thing that can prevent a claim. */
interface Rule {
  code: ReasonCode;
  /** Returns the parameters of the reason; null if it does not apply. */
  against: (question: Question, facts: AskedFacts) => Fact['params'] | null;
}

/** The facts, with the rows of the entrants in question alone. */
interface AskedFacts extends ClaimFacts {
  /** Those rows that ran. */
  episodes: readonly FiguredRow[];
}

/** A rule whose parameters are those of its message. */
function rule<C extends ReasonCode>(
  code: C,
  against: (question: Question, facts: AskedFacts) => ParamsOf<(typeof REASONS)[C]> | null,
): Rule {
  return { code, against };
}

/** Only an agent whose model calls go through Touchstone can lift these. */
const ONLY_FOR_OUR_AGENTS: ReadonlySet<ReasonCode> = new Set(['model_not_pinned', 'not_vendor_endpoint']);

/** Whether a reason can be lifted for every kind of agent. */
export function canBeLifted(code: ReasonCode): boolean {
  return !ONLY_FOR_OUR_AGENTS.has(code);
}

/** Everything that can prevent a claim, in the order in which it matters. */
export const CLAIM_RULES: readonly Rule[] = [
  rule('no_episodes', (_, facts) => (everyRow(facts).some(ran) ? null : {})),
  rule('harness_mode', (_, facts) => modesAmong(everyRow(facts), (mode) => POLICY.harness_modes.includes(mode))),
  rule('stand_in_mode', (_, facts) =>
    modesAmong(everyRow(facts), (mode) => !POLICY.harness_modes.includes(mode) && !POLICY.modes.includes(mode)),
  ),
  rule('diagnostic_axis', ({ axis }) => diagnosticAxis(axis)),
  rule('no_fault', ({ axis }, { rows }) => (axis === 'fault_recovery' && !rows.some(hasFired) ? {} : null)),
  rule('no_login', ({ axis }, { rows }) =>
    axis === 'authentication' && !rows.some((row) => row.auth !== undefined && hasPassed(row)) ? {} : null,
  ),
  rule('not_judged', (_, { episodes, voided }) =>
    counted(joined(episodes, voided.filter(isUnknown)), (row) => isUnknown(row) || !isJudged(row)),
  ),
  rule('other_contracts', (_, { rows }) => tasksWithSeveral(rows, (row) => `${row.task_hash} ${row.contract_hash}`)),
  rule('cells_missing', missingCells),
  rule('version_unknown', (_, { episodes }) =>
    counted(episodes, (row) => row.surface_version === null || row.app_hash === null),
  ),
  rule('version_changed', (_, { rows }) => versionChanged(rows)),
  rule('browser_not_ours', (_, { episodes }) => counted(episodes, ({ browser }) => browser?.ours !== true)),
  rule('model_not_pinned', (_, facts) => counted(facts.episodes, (row) => !isModelPinned(row, facts))),
  rule('model_not_read', (_, { episodes }) =>
    counted(episodes, (row) => row.decider === 'model' && row.model_id_returned === null),
  ),
  rule('not_vendor_endpoint', (_, { episodes }) => counted(episodes, (row) => row.endpoint_kind !== 'provider')),
  rule('budget_not_pinned', (_, { episodes }) => uncapped(episodes)),
  rule('agent_not_kept_apart', (_, { episodes }) => counted(episodes, isNotKeptApart)),
  rule('browser_not_kept_apart', (_, { episodes }) => counted(episodes, isBrowserNotKeptApart)),
  rule('rival_not_kept_apart', ({ entrants }, facts) => {
    const rivals = rivalsOf(entrants, facts);
    return rivals.length === 0 ? null : { rivals: namesOf(rivals) };
  }),
  rule('too_few_repetitions', ({ kind }, facts) => tooFewRepetitions(kind, facts)),
  rule('one_sided', ({ entrants }, facts) => oneSided(entrants, facts)),
  rule('too_few_entrants', ({ kind, entrants }) =>
    kind === 'comparison' && distinct(entrants, entrantName).size < POLICY.least_entrants
      ? { least: POLICY.least_entrants }
      : null,
  ),
  rule('live_web', (_, { episodes }) => counted(episodes, isOnLiveWeb)),
  rule('not_qualified', (_, { episodes }) =>
    counted(episodes, (row) => !isOnLiveWeb(row) && row.qualification_hash === null),
  ),
  rule('trivial_task', (_, { episodes, tasks }) => {
    const trivial = [...distinct(episodes, cellOf)].flatMap((cell) => {
      const controls = tasks.get(cell)?.trivial_by ?? [];
      return controls.length === 0 ? [] : [`${cellText(cell)} (${controls.join(', ')})`];
    });
    return trivial.length === 0 ? null : { tasks: trivial };
  }),
  rule('dom_alone_after_script', (_, { rows, tasks }) =>
    counted(
      rows,
      (row) => hasPassed(row) && row.script_calls !== 0 && tasks.get(cellOf(row))?.rests_on_dom_alone === true,
    ),
  ),
  rule('other_qualification', (_, { rows }) => tasksWithSeveral(rows, (row) => row.qualification_hash)),
  rule('no_clean_commit', (_, { pins }) => (pins.bench_commit === null || pins.bench_dirty !== false ? {} : null)),
  rule('uneven_reruns', ({ kind, entrants }, { episodes }) =>
    kind === 'comparison' ? unevenReruns(entrants, episodes) : null,
  ),
  rule('many_reruns', ({ entrants }, { episodes }) => manyReruns(entrants, episodes)),
  rule('ran_at_once', ({ axis }, facts) => (axis === 'time_per_success' ? ranAtOnce(facts) : null)),
  rule('small_parts', (_, { plan }) => smallParts(plan)),
  rule('not_verified', (_, { verified }) => (verified === null ? {} : null)),
  rule('does_not_verify', (_, { verified }) => (verified === false ? {} : null)),
];

/** Those that say something, and those that ran and do not. */
function everyRow({ rows, voided, oneSided: others }: ClaimFacts): readonly FiguredRow[] {
  return joined(rows, [...voided.filter(ran), ...others]);
}

/** Counts the rows that satisfy a predicate; null if none does. */
function counted(
  rows: readonly FiguredRow[],
  is: (row: FiguredRow) => boolean,
): { all: boolean; count: number; of: number } | null {
  const count = countOf(rows, is);
  return count === 0 ? null : { all: count === rows.length, count, of: rows.length };
}

/** Names what an episode has no cap on. */
function uncapped(rows: readonly FiguredRow[]): ParamsOf<(typeof REASONS)['budget_not_pinned']> | null {
  const without = (['turns', 'tokens', 'cost_usd'] as const).filter((what) =>
    rows.some(({ caps }) => caps[what] === null),
  );
  const count = counted(rows, ({ caps }) => without.some((what) => caps[what] === null));
  return count === null ? null : { ...count, caps: without.map((what) => (what === 'cost_usd' ? 'cost' : what)) };
}

function modesAmong(
  rows: readonly FiguredRow[],
  is: (mode: FiguredRow['mode']) => boolean,
): { modes: string[] } | null {
  const modes = [...distinct(rows, ({ mode }) => mode)].filter(is);
  return modes.length === 0 ? null : { modes };
}

/** Times depend on the machine, and episodes that share it take longer. */
function ranAtOnce({ episodes, plan: { merged } }: AskedFacts): { cause: 'parts' | 'workers' } | null {
  if (merged !== undefined && merged.parts > 1) return { cause: 'parts' };
  return episodes.some(({ concurrency }) => concurrency !== undefined) ? { cause: 'workers' } : null;
}

function diagnosticAxis(axis: Question['axis']): { axis: string; letter: string } | null {
  const { role, letter } = AXES[axis];
  return role === 'diagnostic' ? { axis: axis.replaceAll('_', ' '), letter } : null;
}

function isJudged({ goal_verdict: goal, guard_verdict: guard }: FiguredRow): boolean {
  return goal !== null && guard !== null;
}

function missingCells(
  { entrants }: Question,
  { episodes, voided, oneSided: others, plan }: AskedFacts,
): { entrants: string[]; split: boolean } | null {
  const lacking = entrants.filter((entrant) => {
    const isOwn = (row: FiguredRow): boolean => isOf(entrant, row);
    return countOf(episodes, isOwn) + countOf(voided, isOwn) + countOf(others, isOwn) < plan.episodes_each;
  });
  const planned = new Set(plan.entrants.map(entrantName));
  // An entrant that was split by manifest was never planned to run everything.
  const split = lacking.some((each) => !planned.has(entrantName(each)));
  return lacking.length === 0 ? null : { entrants: namesOf(lacking), split };
}

/** The record does not show how often a part was run before it was merged, and a small part gains more from a choice. */
function smallParts({ merged }: ClaimFacts['plan']): { parts: number; iterations: number } | null {
  return merged === undefined || merged.parts <= merged.iterations ? null : merged;
}

function isOnLiveWeb({ world_kind: world }: FiguredRow): boolean {
  return world === 'live_web';
}

function isModelPinned(row: FiguredRow, { pins }: ClaimFacts): boolean {
  const pin = Object.hasOwn(pins.models, row.agent) ? pins.models[row.agent] : undefined;
  if (pin === undefined || row.decider !== 'model') return false;
  return row.model_id === pin.model_id && row.temperature === pin.temperature && row.prompt_hash === pin.prompt_hash;
}

function tooFewRepetitions(
  kind: Question['kind'],
  { rows, episodes, voided, tasks }: AskedFacts,
): { fewest: number; least: number } | null {
  const ofSuites = [...distinct(rows, cellOf)].map((cell) => tasks.get(cell)?.least_repetitions ?? 0);
  const least = Math.max(POLICY.least_repetitions[kind === 'per_task' ? 'per_task' : 'aggregate'], ...ofSuites);
  const cells = new Map<string, number>();
  const repeat = (row: FiguredRow, times: 0 | 1): void => {
    const cell = `${entrantName(row)} ${faultyCellOf(row)}`;
    cells.set(cell, (cells.get(cell) ?? 0) + times);
  };
  for (const row of episodes) repeat(row, 1);
  // In a pair, tasks that fall away for one are one-sided. For one alone, a task that is never passed fault-free is one without repetitions.
  if (kind !== 'comparison') for (const row of voided.filter(hasFired)) repeat(row, 0);
  const fewest = cells.size === 0 ? 0 : Math.min(...cells.values());
  return fewest >= least ? null : { fewest, least };
}

/** An entrant that fails clean episodes chooses which faults count for both, and one that goes astray, in which both met the same web. */
function oneSided(
  entrants: Question['entrants'],
  { rows, oneSided: others }: ClaimFacts,
): { percent: number; cause: 'archive' | 'void' } | null {
  const shares = entrants.map((entrant) => {
    const isOwn = (row: FiguredRow): boolean => isOf(entrant, row);
    const [alone, shared] = [countOf(others, isOwn), countOf(rows, isOwn)];
    return alone === 0 ? 0 : alone / (alone + shared);
  });
  const share = Math.max(0, ...shares);
  if (share <= POLICY.most_one_sided) return null;
  return { percent: Math.round(share * 100), cause: others.some(missedSome) ? 'archive' : 'void' };
}

/** Lists the tasks whose rows have more than one value. */
function tasksWithSeveral(
  rows: readonly FiguredRow[],
  valueOf: (row: FiguredRow) => string | null,
): { tasks: string[] } | null {
  const tasks = [...tally(rows, cellOf, valueOf)].flatMap(([cell, values]) =>
    values.size > 1 ? [cellText(cell)] : [],
  );
  return tasks.length === 0 ? null : { tasks };
}
