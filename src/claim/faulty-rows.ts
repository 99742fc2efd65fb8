import type { FiguredRow } from './figured-row.ts';
import { entrantName } from './figures.ts';
import { cellOf } from './group.ts';
import { ran } from './honesty.ts';
import { hasPassed } from './success.ts';

/** Whether nothing was planned to go wrong. */
export function isFaultFree({ faults }: Pick<FiguredRow, 'faults'>): boolean {
  return faults.length === 0;
}

export function hasFired({ faults }: Pick<FiguredRow, 'faults'>): boolean {
  return faults.some(({ fired }) => fired);
}

/** The rows of a campaign under stress, by what they say of recovery. */
export interface FaultyRows<R extends FiguredRow> {
  /** Their fault fired, and the same entrant passed the task clean in the same iteration. */
  counted: R[];
  /** They say nothing of recovery: the fault cannot apply, did not fire, or the task is not passed without it. */
  voided: R[];
}

/** All but those whose surface was not there. */
export function faultyRows<R extends FiguredRow>(rows: readonly R[]): FaultyRows<R> {
  const clean = cleanTwins(rows);
  const all = rows.filter((row) => !isFaultFree(row) && row.status !== 'unavailable');
  const counts = (row: R): boolean => ran(row) && hasFired(row) && isSound(row, clean);
  return { counted: all.filter(counts), voided: all.filter((row) => !counts(row)) };
}

/** Clean episodes, by what they have in common with those under stress. */
export type CleanTwins = ReadonlyMap<string, FiguredRow>;

/** Keeps only those clean episodes that are asked for: of a million, the names take more memory than the rest. */
export function cleanTwins(rows: readonly FiguredRow[]): CleanTwins {
  const twins = new Map<string, FiguredRow>();
  const asked = new Set<string>();
  for (const row of rows) if (!isFaultFree(row)) asked.add(twinOf(row));
  if (asked.size === 0) return twins;
  for (const row of rows) {
    if (!isFaultFree(row)) continue;
    const twin = twinOf(row);
    if (asked.has(twin)) twins.set(twin, row);
  }
  return twins;
}

/** The clean episode of a row under stress. */
export function twinIn(clean: CleanTwins, row: FiguredRow): FiguredRow | null {
  return clean.get(twinOf(row)) ?? null;
}

export function isSound(row: FiguredRow, clean: CleanTwins): boolean {
  const twin = twinIn(clean, row);
  return twin !== null && hasPassed(twin);
}

function twinOf(row: FiguredRow): string {
  return `${cellOf(row)} ${entrantName(row)} ${row.iteration}`;
}

/** Identifies what is repeated: a cell, with its planned fault. */
export function faultyCellOf(row: FiguredRow): string {
  return `${cellOf(row)} ${faultsOf(row)}`;
}

export function faultsOf({ faults }: FiguredRow): string {
  return faults.map(({ id }) => id).join(' ');
}

/** Names the episodes in which entrants are compared: the same iteration of the same cell, with what was planned to go wrong in it. */
export function faultyEpisodeOf(row: FiguredRow): string {
  return `${faultyCellOf(row)} ${row.iteration}`;
}

/** Splits the rows of two entrants: those in which the same fault of the same iteration says something of both, and all others. */
export function faultyAlike(first: readonly FiguredRow[], second: readonly FiguredRow[]) {
  const [ofFirst, ofSecond] = [new Set(first.map(faultyEpisodeOf)), new Set(second.map(faultyEpisodeOf))];
  const isOfBoth = (row: FiguredRow): boolean =>
    ofFirst.has(faultyEpisodeOf(row)) && ofSecond.has(faultyEpisodeOf(row));
  return {
    first: first.filter(isOfBoth),
    second: second.filter(isOfBoth),
    oneSided: [...first, ...second].filter((row) => !isOfBoth(row)),
  };
}
