/** The items that have the same key, in the order in which the keys come. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** A template is a task, whatever instance of it: instances of one task say little more than its repetitions do. */
export function templateOf({ suite, task }: { suite: string; task: string }): string {
  return `${suite}/${task}`;
}

/** What is repeated: one instance of a task. */
export function cellOf({ suite, task, instance }: { suite: string; task: string; instance: string }): string {
  return `${suite}/${task}/${instance}`;
}

/** The different values among items, in the order in which they come; none of a million others is kept for it. */
export function distinct<T, V>(items: readonly T[], valueOf: (item: T) => V): Set<V> {
  const values = new Set<V>();
  for (const item of items) values.add(valueOf(item));
  return values;
}
