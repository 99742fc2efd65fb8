import { smallestDetectable } from '../stats/difference.ts';
import type { FiguredRow } from './figured-row.ts';
import { entrantName } from './figures.ts';
import { clusterIn, groupBy, those } from './group.ts';
import { ran } from './honesty.ts';

export type EpisodesByTask = ReadonlyMap<string, number>;

/**
 * The smallest difference that two of these entrants can show on their common tasks, with the fewest episodes of a task, if all pairs are
 * tested; see `smallestDetectable`. One entrant is paired with its like. Null: none can.
 */
export function smallestBetween(entrants: readonly EpisodesByTask[]): number | null {
  const [first, ...others] = entrants.filter(({ size }) => size > 0);
  if (first === undefined) return null;
  const sides = others.length === 0 ? [first, first] : [first, ...others];
  const pairs = sides.flatMap((one, at) => sides.slice(at + 1).flatMap((other) => inBoth(one, other)));
  const shown = pairs.flatMap(({ tasks, fewest }) => smallestDetectable(tasks, fewest, pairs.length) ?? []);
  return shown.length === 0 ? null : Math.min(...shown);
}

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
