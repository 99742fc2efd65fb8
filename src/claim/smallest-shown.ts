import { smallestDetectable } from '../stats/difference.ts';
import type { FiguredRow } from './figured-row.ts';
import { entrantName } from './figures.ts';
import { clusterIn, groupBy, those } from './group.ts';
import { ran } from './honesty.ts';

/** Count the episodes of an entrant by task; copies are one task, see `clusterIn`. */
export type EpisodesByTask = ReadonlyMap<string, number>;

/**
 * The smallest difference that some two entrants can show on the tasks that both have, by the task that has the fewest episodes,
 * all pairs being tested; see `smallestDetectable`. Of one alone: what it can show beside another one like it. Null: none can.
 */
export function smallestBetween(entrants: readonly EpisodesByTask[]): number | null {
  const [first, ...others] = entrants.filter(({ size }) => size > 0);
  if (first === undefined) return null;
  const sides = others.length === 0 ? [first, first] : [first, ...others];
  const pairs = sides.flatMap((one, at) => sides.slice(at + 1).flatMap((other) => inBoth(one, other)));
  const shown = pairs.flatMap(({ tasks, fewest }) => smallestDetectable(tasks, fewest, pairs.length) ?? []);
  return shown.length === 0 ? null : Math.min(...shown);
}

/** The same of rows. */
export function smallestShown(rows: readonly FiguredRow[]): number | null {
  const episodes = those(rows, ran);
  const clusterOf = clusterIn(episodes);
  const byEntrant = [...groupBy(episodes, entrantName).values()];
  return smallestBetween(
    byEntrant.map((own) => new Map([...groupBy(own, clusterOf)].map(([task, of]) => [task, of.length]))),
  );
}

function inBoth(one: EpisodesByTask, other: EpisodesByTask): { tasks: number; fewest: number }[] {
  const fewest = [...one].flatMap(([task, episodes]) => {
    const others = other.get(task);
    return others === undefined ? [] : [Math.min(episodes, others)];
  });
  return fewest.length === 0 ? [] : [{ tasks: fewest.length, fewest: Math.min(...fewest) }];
}
