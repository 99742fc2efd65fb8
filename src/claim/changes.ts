import type { Row } from '../bundle/row.ts';
import { type ClusteredProportion, clusteredProportion, type Interval, wilsonInterval } from '../stats/proportion.ts';
import { correlationOf, differenceInterval } from '../stats/difference.ts';
import { type Entrant, entrantName } from './figures.ts';
import { cellOf, clusterIn, groupBy } from './group.ts';
import { ran } from './honesty.ts';
import { isFaultFree, faultyRows } from './faulty-rows.ts';
import { hasPassed } from './success.ts';

/** The finding on a difference: only an interval without 0 makes it more than chance could. */
export type Direction = 'regressed' | 'improved' | 'not told apart';

/** A success rate before and after. */
interface Change {
  /** After less before. */
  difference: number;
  /** Null where one cannot be given: of fewer than two tasks, for all of them. */
  interval: Interval | null;
  /** Null where there is no interval. */
  direction: Direction | null;
}

/** One task (in one of its instances), its repetitions before and after. */
export interface TaskChange extends Change {
  /** `suite/task/instance`, and what was planned to go wrong in it. */
  task: string;
  before: { passed: number; episodes: number };
  after: { passed: number; episodes: number };
}

/** An entrant on the tasks that ran before and after. */
export interface EntrantChange extends Entrant {
  /** Clustered by task, of which copies are one. Null without a task that ran in both. */
  all: (Change & { before: ClusteredProportion; after: ClusteredProportion }) | null;
  tasks: TaskChange[];
}

/** A task of an entrant that cannot be compared. */
export interface NotCompared extends Entrant {
  task: string;
  why: string;
}

export interface Changes {
  entrants: EntrantChange[];
  /** Entrants that are in one of them alone: no task of theirs can be paired. */
  only_before: Entrant[];
  only_after: Entrant[];
  /** Ran before and not after. */
  missing: NotCompared[];
  /** Another task after, or judged by another contract: passing means something else. */
  other_contract: NotCompared[];
  /** Ran after and not before. */
  added: NotCompared[];
}

type Cells = Map<string, Row[]>;

/**
 * Compare two campaigns where no fault was planned, entrant by entrant, each task paired with
 * itself. Who recovers from less has not changed in that: see {@link recoveryBetween}.
 */
export function changesBetween(before: readonly Row[], after: readonly Row[]): Changes {
  return pairedChanges(before.filter(isFaultFree), after.filter(isFaultFree), ran);
}

/**
 * The same of episodes in which something was planned to go wrong, each task with its fault paired with itself: who recovers
 * more often, or less. Only those count that say something of recovery. Null where no such episode was planned in either.
 */
export function recoveryBetween(before: readonly Row[], after: readonly Row[]): Changes | null {
  const [was, is] = [before.filter(hasFault), after.filter(hasFault)];
  if (was.length + is.length === 0) return null;
  const counted = new Set([...faultyRows(before).counted, ...faultyRows(after).counted]);
  return pairedChanges(was, is, (row) => counted.has(row));
}

function hasFault(row: Row): boolean {
  return !isFaultFree(row);
}

function pairedChanges(before: readonly Row[], after: readonly Row[], counts: (row: Row) => boolean): Changes {
  const [wereThere, areThere] = [entrantsOf(before), entrantsOf(after)];
  const found: Changes = {
    entrants: [],
    only_before: [...wereThere].flatMap(([name, entrant]) => (areThere.has(name) ? [] : [entrant])),
    only_after: [...areThere].flatMap(([name, entrant]) => (wereThere.has(name) ? [] : [entrant])),
    missing: [],
    other_contract: [],
    added: [],
  };
  for (const [name, { agent, surface }] of new Map([...wereThere, ...areThere])) {
    const [was, is] = [cellsOf(before.filter(counts), name), cellsOf(after.filter(counts), name)];
    const notCompared = (task: string, why: string): NotCompared => ({ agent, surface, task, why });
    const same: string[] = [];
    for (const [task, rows] of was) {
      const now = is.get(task);
      if (now === undefined) found.missing.push(notCompared(task, whyNot(after, name, task)));
      else {
        const other = otherwise(rows, now);
        if (other === null) same.push(task);
        else found.other_contract.push(notCompared(task, other));
      }
    }
    const whyNew = wereThere.has(name) ? 'it did not run before' : 'the entrant was not there before';
    for (const task of is.keys()) if (!was.has(task)) found.added.push(notCompared(task, whyNew));
    found.entrants.push(entrantChange({ agent, surface }, ofTasks(was, same), ofTasks(is, same)));
  }
  return found;
}

function entrantsOf(rows: readonly Row[]): Map<string, Entrant> {
  return new Map(rows.map((row) => [entrantName(row), { agent: row.agent, surface: row.surface }]));
}

function cellsOf(rows: readonly Row[], entrant: string): Cells {
  return groupBy(
    rows.filter((row) => entrantName(row) === entrant),
    faultyCell,
  );
}

/** Name the unit of repetition, as people read it. */
function faultyCell(row: Row): string {
  return [cellOf(row), ...row.faults.map(({ id }) => id)].join(' + ');
}

function whyNot(rows: readonly Row[], entrant: string, task: string): string {
  const own = rows.filter((row) => entrantName(row) === entrant);
  if (own.length === 0) return 'the entrant is not there';
  const idle = own.find((row) => faultyCell(row) === task);
  if (idle === undefined) return 'no episode of it is there';
  if (ran(idle)) return 'it is void: its fault did not fire, or the task was not passed without it';
  return `it is ${idle.status}: ${idle.null_reasons['steps'] ?? idle.detail ?? 'no reason is given'}`;
}

/** Why a task cannot be paired with itself; null where it can. */
function otherwise(before: readonly Row[], after: readonly Row[]): string | null {
  const differs = (valueOf: (row: Row) => string): boolean => valuesOf(before, valueOf) !== valuesOf(after, valueOf);
  if (differs((row) => row.contract_hash)) return 'it is judged by another contract (contract_hash)';
  return differs((row) => row.task_hash) ? 'it is another task (task_hash)' : null;
}

function valuesOf(rows: readonly Row[], valueOf: (row: Row) => string): string {
  return [...new Set(rows.map(valueOf))].toSorted().join(' ');
}

function ofTasks(cells: Cells, tasks: readonly string[]): Row[] {
  return tasks.flatMap((task) => cells.get(task) ?? []);
}

function entrantChange(entrant: Entrant, before: readonly Row[], after: readonly Row[]): EntrantChange {
  const [was, is] = [groupBy(before, faultyCell), groupBy(after, faultyCell)];
  const tasks = [...was].map(([task, rows]) => taskChange(task, rows, is.get(task) ?? []));
  return { ...entrant, all: changeOverTasks(before, after), tasks };
}

function taskChange(task: string, before: readonly Row[], after: readonly Row[]): TaskChange {
  const [was, is] = [countOf(before), countOf(after)];
  const [first, second] = [estimateOf(was), estimateOf(is)];
  const interval = first === null || second === null ? null : differenceInterval(first, second, 0);
  const difference = rateOf(is) - rateOf(was);
  return { task, before: was, after: is, difference, interval, direction: directionOf(interval) };
}

function countOf(rows: readonly Row[]): { passed: number; episodes: number } {
  return { passed: rows.filter(hasPassed).length, episodes: rows.length };
}

function rateOf({ passed, episodes }: { passed: number; episodes: number }): number {
  return passed / episodes;
}

function estimateOf(count: { passed: number; episodes: number }): { rate: number; interval: Interval } | null {
  const interval = wilsonInterval(count.passed, count.episodes);
  return interval === null ? null : { rate: rateOf(count), interval };
}

function changeOverTasks(beforeRows: readonly Row[], afterRows: readonly Row[]): EntrantChange['all'] {
  const of = clusterIn([...beforeRows, ...afterRows]);
  const [was, is] = [groupBy(beforeRows, of), groupBy(afterRows, of)];
  const before = clusteredProportion([...was.values()].map(clusterOf));
  const after = clusteredProportion([...is.values()].map(clusterOf));
  if (before.rate === null || after.rate === null) return null;
  const pairs = [...was].map(([cluster, rows]): [number, number] => [
    rateOf(countOf(rows)),
    rateOf(countOf(is.get(cluster) ?? [])),
  ]);
  const interval =
    before.interval === null || after.interval === null
      ? null
      : differenceInterval(
          { rate: before.rate, interval: before.interval },
          { rate: after.rate, interval: after.interval },
          correlationOf(pairs),
        );
  return { before, after, difference: after.rate - before.rate, interval, direction: directionOf(interval) };
}

function clusterOf(rows: readonly Row[]): { successes: number; trials: number } {
  return { successes: rows.filter(hasPassed).length, trials: rows.length };
}

function directionOf(interval: Interval | null): Direction | null {
  if (interval === null) return null;
  if (interval.high < 0) return 'regressed';
  return interval.low > 0 ? 'improved' : 'not told apart';
}
