import type { FiguredRow } from './figured-row.ts';
import { entrantName } from './figures.ts';
import { cellOf } from './group.ts';
import { ran } from './honesty.ts';
import { hasPassed } from './success.ts';

export function isFaultFree({ faults }: Pick<FiguredRow, 'faults'>): boolean {
  return faults.length === 0;
}

export function hasFired({ faults }: Pick<FiguredRow, 'faults'>): boolean {
  return faults.some(({ fired }) => fired);
}

export interface FaultyRows<R extends FiguredRow> {
  /** The fault fired, and the same entrant passed the task without it in the same iteration. */
  counted: R[];
  /** The fault cannot apply, did not fire, or the entrant does not pass the task without it. */
  voided: R[];
}

/** Leaves out rows whose surface was unavailable. */
export function faultyRows<R extends FiguredRow>(rows: readonly R[]): FaultyRows<R> {
  const clean = cleanTwins(rows);
  const all = rows.filter((row) => !isFaultFree(row) && row.status !== 'unavailable');
  const counts = (row: R): boolean => ran(row) && hasFired(row) && isSound(row, clean);
  return { counted: all.filter(counts), voided: all.filter((row) => !counts(row)) };
}

/** Fault-free episodes, by the key that they share with those under stress. */
export type CleanTwins = ReadonlyMap<string, FiguredRow>;

/** Keeps only fault-free episodes with a counterpart: the keys of a million take more memory than the rows. */
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

/** Names the unit of repetition: a cell with its planned fault. */
export function faultyCellOf(row: FiguredRow): string {
  return `${cellOf(row)} ${faultsOf(row)}`;
}

export function faultsOf({ faults }: FiguredRow): string {
  return faults.map(({ id }) => id).join(' ');
}

/** Names an episode by the same cell, fault and iteration in all entrants. */
export function faultyEpisodeOf(row: FiguredRow): string {
  return `${faultyCellOf(row)} ${row.iteration}`;
}

/** Splits the rows of two entrants into episodes that both have, and all others. */
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
