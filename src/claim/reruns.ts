import type { Question } from './claim-facts.ts';
import type { FiguredRow } from './figured-row.ts';
import { entrantNames, isOf } from './figures.ts';
import { countOf } from './group.ts';
import { POLICY } from './policy.ts';

interface Reruns {
  /** `3 of 200 of agent/surface`. */
  text: string;
  share: number;
}

/** Count, for each entrant, the episodes that were attempted again. Where a provider failed, that is no matter of the entrant. */
function rerunsOf(entrants: Question['entrants'], episodes: readonly FiguredRow[]): Reruns[] {
  return entrants.map((entrant) => {
    const isOwn = (row: FiguredRow): boolean => isOf(entrant, row);
    const own = countOf(episodes, isOwn);
    const again = countOf(episodes, (row) => (row.retries ?? 0) > 0 && isOwn(row));
    return { text: `${again} of ${own} of ${entrantNames([entrant])}`, share: own === 0 ? 0 : again / own };
  });
}

/** Says by how much the shares of two differ; null where that is little. */
export function unevenReruns(entrants: Question['entrants'], episodes: readonly FiguredRow[]): string | null {
  const reruns = rerunsOf(entrants, episodes);
  const shares = reruns.map(({ share }) => share);
  const gap = Math.max(0, ...shares) - Math.min(1, ...shares);
  if (gap <= POLICY.most_rerun_gap) return null;
  const each = reruns.map(({ text }) => text).join(', ');
  return `the share of episodes that were attempted again differs by ${Math.round(gap * 100)} points between entrants: ${each}`;
}

/** Who ends a campaign where an entrant loses, and resumes it, throws the dice again. */
export function manyReruns(entrants: Question['entrants'], episodes: readonly FiguredRow[]): string | null {
  const many = rerunsOf(entrants, episodes).filter(({ share }) => share > POLICY.most_reruns);
  if (many.length === 0) return null;
  const each = many.map(({ text }) => text).join(', ');
  return `more than ${Math.round(POLICY.most_reruns * 100)} % of the episodes were attempted again: ${each}`;
}
