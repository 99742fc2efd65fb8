import { shortened } from '../messages/printable.ts';
import type { REASONS } from '../messages/reasons.ts';
import type { ParamsOf } from '../messages/template.ts';
import type { ClaimFacts, Question } from './claim-facts.ts';
import { faultsOf, faultyCellOf, hasFired } from './faulty-rows.ts';
import type { FiguredRow } from './figured-row.ts';
import { entrantName, isOf, namesOf } from './figures.ts';
import { cellOf, cellText, countOf, distinct, joined, tally, those } from './group.ts';
import { missesOf, ran } from './honesty.ts';
import { AXES, POLICY } from './policy.ts';

/** The facts, with the rows of the entrants in question alone. */
export interface AskedFacts extends ClaimFacts {
  episodes: readonly FiguredRow[];
}

/** The rows that count, and those that ran and do not. */
export function everyRow({ rows, voided, oneSided: others }: ClaimFacts): readonly FiguredRow[] {
  return joined(rows, [...voided.filter(ran), ...others]);
}

/** Counts the rows that satisfy a predicate; null if none does. */
export function countWhere(
  rows: readonly FiguredRow[],
  is: (row: FiguredRow) => boolean,
): { all: boolean; count: number; of: number } | null {
  const count = countOf(rows, is);
  return count === 0 ? null : { all: count === rows.length, count, of: rows.length };
}

/** Names the caps that an episode lacks. */
export function uncapped(rows: readonly FiguredRow[]): ParamsOf<(typeof REASONS)['budget_not_pinned']> | null {
  const without = (['turns', 'tokens', 'cost_usd'] as const).filter((what) => rows.some((row) => lacks(row, what)));
  const count = countWhere(rows, (row) => without.some((what) => lacks(row, what)));
  return count === null ? null : { ...count, caps: without.map((what) => (what === 'cost_usd' ? 'cost' : what)) };
}

/** Turns and tokens bound the cost of a vendor's model without a price. No earlier plan had one, so version 8 decides as it did. */
function lacks(row: FiguredRow, what: 'turns' | 'tokens' | 'cost_usd'): boolean {
  const isUnpriced = row.endpoint_kind === 'provider' && row.price_table === null;
  return row.caps[what] === null && !(what === 'cost_usd' && isUnpriced);
}

export function modesAmong(
  rows: readonly FiguredRow[],
  is: (mode: FiguredRow['mode']) => boolean,
): { modes: string[] } | null {
  const modes = [...distinct(rows, ({ mode }) => mode)].filter(is);
  return modes.length === 0 ? null : { modes };
}

/** Episodes that share a machine take longer. */
export function ranAtOnce({ episodes, plan: { merged } }: AskedFacts): { cause: 'parts' | 'workers' } | null {
  if (merged !== undefined && merged.parts > 1) return { cause: 'parts' };
  return episodes.some(({ concurrency }) => concurrency !== undefined) ? { cause: 'workers' } : null;
}

export function diagnosticAxis(axis: Question['axis']): { axis: string; letter: string } | null {
  const { role, letter } = AXES[axis];
  return role === 'diagnostic' ? { axis: axis.replaceAll('_', ' '), letter } : null;
}

export function isJudged({ goal_verdict: goal, guard_verdict: guard }: FiguredRow): boolean {
  return goal !== null && guard !== null;
}

export function missingCells(
  { entrants }: Question,
  { episodes, voided, oneSided: others, plan }: AskedFacts,
): { entrants: string[]; split: boolean } | null {
  const lacking = entrants.filter((entrant) => {
    const isOwn = (row: FiguredRow): boolean => isOf(entrant, row);
    return countOf(episodes, isOwn) + countOf(voided, isOwn) + countOf(others, isOwn) < plan.episodes_each;
  });
  const planned = new Set(plan.entrants.map(entrantName));
  // An entrant that was split by manifest was never planned to run all cells.
  const split = lacking.some((each) => !planned.has(entrantName(each)));
  return lacking.length === 0 ? null : { entrants: namesOf(lacking), split };
}

/** Records do not show how often a part was run before it was merged; choosing among small parts gains more. */
export function smallParts({ merged }: ClaimFacts['plan']): { parts: number; iterations: number } | null {
  return merged === undefined || merged.parts <= merged.iterations ? null : merged;
}

export function isOnLiveWeb({ world_kind: world }: FiguredRow): boolean {
  return world === 'live_web';
}

export function isModelPinned(row: FiguredRow, { pins }: ClaimFacts): boolean {
  const pin = Object.hasOwn(pins.models, row.agent) ? pins.models[row.agent] : undefined;
  if (pin === undefined || row.decider !== 'model') return false;
  return row.model_id === pin.model_id && row.temperature === pin.temperature && row.prompt_hash === pin.prompt_hash;
}

export function tooFewRepetitions(
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
  // A task that an entrant never passes without the fault has no repetitions; in a pair it is one-sided.
  if (kind !== 'comparison') for (const row of voided.filter(hasFired)) repeat(row, 0);
  const fewest = cells.size === 0 ? 0 : Math.min(...cells.values());
  return fewest >= least ? null : { fewest, least };
}

/** By failing clean episodes, or by leaving the archive, an entrant chooses which episodes count for both. */
export function oneSided(
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
  return { percent: Math.round(share * 100), cause: others.some((row) => missesOf(row) > 0) ? 'archive' : 'void' };
}

export function tasksWithSeveral(
  rows: readonly FiguredRow[],
  valueOf: (row: FiguredRow) => string | null,
): { tasks: string[] } | null {
  const tasks = [...tally(rows, cellOf, valueOf)].flatMap(([cell, values]) =>
    values.size > 1 ? [cellText(cell)] : [],
  );
  return tasks.length === 0 ? null : { tasks };
}

interface Reruns {
  /** `agent/surface: 3 of 200` */
  shown: string;
  share: number;
}

/** Counts the episodes of each entrant that were attempted again. */
function rerunsOf(entrants: Question['entrants'], episodes: readonly FiguredRow[]): Reruns[] {
  return entrants.map((entrant) => {
    const isOwn = (row: FiguredRow): boolean => isOf(entrant, row);
    const own = countOf(episodes, isOwn);
    const again = countOf(episodes, (row) => (row.retries ?? 0) > 0 && isOwn(row));
    return { shown: `${namesOf([entrant]).join()}: ${again} of ${own}`, share: own === 0 ? 0 : again / own };
  });
}

/** Returns the gap between the shares of two entrants; null if it is small. */
export function unevenReruns(
  entrants: Question['entrants'],
  episodes: readonly FiguredRow[],
): { points: number; shares: string[] } | null {
  const reruns = rerunsOf(entrants, episodes);
  const shares = reruns.map(({ share }) => share);
  const gap = Math.max(0, ...shares) - Math.min(1, ...shares);
  if (gap <= POLICY.most_rerun_gap) return null;
  return { points: Math.round(gap * 100), shares: reruns.map(({ shown }) => shown) };
}

/** Resuming a campaign that was interrupted while an entrant lost is a second throw of the dice. */
export function manyReruns(
  entrants: Question['entrants'],
  episodes: readonly FiguredRow[],
): { most: number; shares: string[] } | null {
  const many = rerunsOf(entrants, episodes).filter(({ share }) => share > POLICY.most_reruns);
  if (many.length === 0) return null;
  return { most: Math.round(POLICY.most_reruns * 100), shares: many.map(({ shown }) => shown) };
}

/** A field that has one value in each group of rows if nothing changed during a campaign. */
interface Constant {
  field: 'surface_version' | 'model_id_returned' | 'runtime_version' | 'runtime_hash' | 'tool_list_hash';
  within: (row: FiguredRow) => string;
  /** Whether the value was read, and not pinned; by default any but null. */
  isRead?: (row: FiguredRow) => boolean;
}

const CONSTANTS: readonly Constant[] = [
  {
    field: 'surface_version',
    // An app's own tools have the version of the app, which is one in a suite.
    within: (row) => `${entrantName(row)} ${row.suite}`,
    // The row of a surface that never opened has the pinned version, which servers may spell differently.
    isRead: (row) => row.tool_list_hash !== null,
  },
  { field: 'model_id_returned', within: ({ agent }) => agent },
  // A fault may keep a page from a module of its runtime.
  { field: 'runtime_version', within: (row) => `${entrantName(row)} ${row.suite} ${faultsOf(row)}` },
  { field: 'runtime_hash', within: (row) => `${entrantName(row)} ${row.suite} ${faultsOf(row)}` },
  // An app's own tools are those of the task's first page.
  { field: 'tool_list_hash', within: (row) => `${entrantName(row)} ${faultyCellOf(row)}` },
];

const MAX_CHANGES = 3;
const MAX_CHARACTERS = 80;

/** Lists the fields that changed, with their values; null if none did. An unknown value is not a change. */
export function versionChanged(rows: readonly FiguredRow[]): { count: number; changes: string[] } | null {
  const changes = CONSTANTS.flatMap(({ field, within, isRead }) => {
    const known = those(rows, (row) => row[field] !== null && (isRead?.(row) ?? true));
    return [...tally(known, within, (row) => row[field] ?? '')].flatMap(([where, values]) =>
      values.size === 1 ? [] : [`${field} of ${where.trim()}: ${[...values].map(valueText).join(', ')}`],
    );
  });
  return changes.length === 0 ? null : { count: changes.length, changes: changes.slice(0, MAX_CHANGES) };
}

function valueText([value, count]: readonly [string, number]): string {
  return `${shortened(value, MAX_CHARACTERS)} (${count})`;
}
