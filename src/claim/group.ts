/** Groups items by key, in the order of the first of each. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** A template is a task in all its instances, which vary little more than repetitions do. */
export function templateOf({ suite, task }: { suite: string; task: string }): string {
  return `${suite}/${task}`;
}

/** The fields by which rows are repetitions of each other. */
export interface JudgedRow {
  suite: string;
  task: string;
  contract_hash: string;
}

/**
 * Clusters rows by what is independent: a template, with all templates that share a contract with it. A copy of a task under another
 * name, in another suite or another language asks for the same end state.
 * @returns a function from a row to the first template of its cluster
 */
export function clusterIn(rows: readonly JudgedRow[]): (row: JudgedRow) => string {
  const ofContract = new Map<string, string>();
  const copies = new Map<string, string>();
  const firstOf = (template: string): string => {
    let first = template;
    for (let next = copies.get(first); next !== undefined; next = copies.get(first)) first = next;
    return first;
  };
  for (const row of rows) {
    const template = templateOf(row);
    const known = ofContract.get(row.contract_hash);
    if (known === undefined) ofContract.set(row.contract_hash, template);
    else if (known !== template) {
      const [first, copy] = [firstOf(known), firstOf(template)];
      if (first !== copy) copies.set(copy, first);
    }
  }
  return (row) => firstOf(templateOf(row));
}

/** Counts, for each cluster, its rows and those that satisfy a predicate. */
export function clusterTrials<R extends JudgedRow>(
  rows: readonly R[],
  is: (row: R) => boolean,
): { successes: number; trials: number }[] {
  return [...tally(rows, clusterIn(rows), is).values()].map((counts) => {
    const [successes, others] = [counts.get(true) ?? 0, counts.get(false) ?? 0];
    return { successes, trials: successes + others };
  });
}

/** The rows of each cluster; see {@link clusterIn}. */
export function clustersOf<R extends JudgedRow>(rows: readonly R[]): R[][] {
  return [...groupBy(rows, clusterIn(rows)).values()];
}

export function clusterCount(rows: readonly JudgedRow[]): number {
  return distinct(rows, clusterIn(rows)).size;
}

/** Names the unit of repetition: one instance of a task. */
export function cellOf({ suite, task, instance }: { suite: string; task: string; instance: string }): string {
  return `${suite}/${task}/${instance}`;
}

/** A cell, or a text that begins with one, without the name of the default instance. */
export function cellText(cell: string): string {
  return cell.replace(/^([^/]+\/[^/]+)\/default(?= \+ |$)/, '$1');
}

/** Filters items; returns the list itself, no copy of a million, if all satisfy the predicate. */
export function those<T>(items: readonly T[], are: (item: T) => boolean): readonly T[] {
  return items.every(are) ? items : items.filter(are);
}

/** Joins two lists, without a copy if the second is empty. */
export function joined<T>(items: readonly T[], more: readonly T[]): readonly T[] {
  return more.length === 0 ? items : [...items, ...more];
}

/** Counts the items that satisfy a predicate, without a list of them. */
export function countOf<T>(items: readonly T[], is: (item: T) => boolean): number {
  let count = 0;
  for (const item of items) if (is(item)) count += 1;
  return count;
}

export function tally<T, V>(
  items: readonly T[],
  keyOf: (item: T) => string,
  valueOf: (item: T) => V,
): Map<string, Map<V, number>> {
  const tallies = new Map<string, Map<V, number>>();
  for (const item of items) {
    const [key, value] = [keyOf(item), valueOf(item)];
    let counts = tallies.get(key);
    if (counts === undefined) tallies.set(key, (counts = new Map()));
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return tallies;
}

/** The different values among items, without a list of all. */
export function distinct<T, V>(items: readonly T[], valueOf: (item: T) => V): Set<V> {
  const values = new Set<V>();
  for (const item of items) values.add(valueOf(item));
  return values;
}

export function recordOf<K extends string, V>(keys: readonly K[], valueOf: (key: K) => V): Record<K, V>;
export function recordOf(keys: readonly string[], valueOf: (key: string) => unknown): unknown {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)]));
}
