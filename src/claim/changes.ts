import type { Row } from '../bundle/row.ts';
import { type ClusteredProportion, clusteredProportion, type Interval, wilsonInterval } from '../stats/proportion.ts';
import { correlationOf, differenceInterval } from '../stats/difference.ts';
import { type Entrant, entrantName } from './figures.ts';
import { cellOf, clusterIn, groupBy } from './group.ts';
import { ran } from './honesty.ts';
import { isFaultFree, faultyRows } from './faulty-rows.ts';
import { hasPassed } from './success.ts';

/** A difference is more than chance only if its interval excludes 0. */
export type Direction = 'regressed' | 'improved' | 'not significant';

interface Change {
  /** After minus before. */
  difference: number;
  /** Null over fewer than two tasks. */
  interval: Interval | null;
  /** Null without an interval. */
  direction: Direction | null;
}

export interface TaskChange extends Change {
  /** `suite/task/instance`, and its planned fault. */
  task: string;
  before: { passed: number; episodes: number };
  after: { passed: number; episodes: number };
}

export interface EntrantChange extends Entrant {
  /** Clustered by task. Null if no task ran in both. */
  all: (Change & { before: ClusteredProportion; after: ClusteredProportion }) | null;
  tasks: TaskChange[];
}

export interface NotCompared extends Entrant {
  task: string;
  why: string;
}

export interface Changes {
  entrants: EntrantChange[];
  /** Entrants of one campaign alone. */
  only_before: Entrant[];
  only_after: Entrant[];
  missing: NotCompared[];
  /** Tasks whose definition or contract changed. */
  other_contract: NotCompared[];
  added: NotCompared[];
}

type Cells = Map<string, Row[]>;

/** Leaves out the agents that must not pass: an entrant or task of theirs is neither new nor missing. */
export function withoutControls(changes: Changes, controls: ReadonlySet<string>): Changes {
  const competing = <E extends Entrant>(each: readonly E[]): E[] => each.filter(({ agent }) => !controls.has(agent));
  return {
    entrants: competing(changes.entrants),
    only_before: competing(changes.only_before),
    only_after: competing(changes.only_after),
    missing: competing(changes.missing),
    other_contract: competing(changes.other_contract),
    added: competing(changes.added),
  };
}

/** Compares the fault-free episodes of two campaigns by entrant, each task paired with itself. */
export function changesBetween(before: readonly Row[], after: readonly Row[]): Changes {
  return pairedChanges(before.filter(isFaultFree), after.filter(isFaultFree), ran);
}

/** Compares the episodes with faults in the same way, as far as they count; null if neither campaign planned any. */
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

/** Names the unit of repetition for readers. */
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

/** Why a task cannot be paired with itself; null if it can. */
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
  return interval.low > 0 ? 'improved' : 'not significant';
}
