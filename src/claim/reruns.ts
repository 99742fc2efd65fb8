import type { Question } from './claim-facts.ts';
import type { FiguredRow } from './figured-row.ts';
import { namesOf, isOf } from './figures.ts';
import { countOf } from './group.ts';
import { POLICY } from './policy.ts';

interface Reruns {
  /** `agent/surface: 3 of 200` */
  shown: string;
  share: number;
}

/** Count, for each entrant, the episodes that were attempted again. Where a provider failed, that is no matter of the entrant. */
function rerunsOf(entrants: Question['entrants'], episodes: readonly FiguredRow[]): Reruns[] {
  return entrants.map((entrant) => {
    const isOwn = (row: FiguredRow): boolean => isOf(entrant, row);
    const own = countOf(episodes, isOwn);
    const again = countOf(episodes, (row) => (row.retries ?? 0) > 0 && isOwn(row));
    return { shown: `${namesOf([entrant]).join()}: ${again} of ${own}`, share: own === 0 ? 0 : again / own };
  });
}

/** Returns by how much the shares of two entrants differ; null if that is little. */
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

/** Interrupting a campaign when an entrant loses, and resuming it, is a second throw of the dice. */
export function manyReruns(
  entrants: Question['entrants'],
  episodes: readonly FiguredRow[],
): { most: number; shares: string[] } | null {
  const many = rerunsOf(entrants, episodes).filter(({ share }) => share > POLICY.most_reruns);
  if (many.length === 0) return null;
  return { most: Math.round(POLICY.most_reruns * 100), shares: many.map(({ shown }) => shown) };
}
