import type { EpisodeLine } from '../episode-line.ts';

/** The addresses that a page of a report may lead to. */
export interface Links {
  /** The page that an episode has; null where none has one. */
  pageOf: ((episode: EpisodeLine) => string) | null;
  /** A picture by the name of its blob; null where the page has none. */
  pictureOf(sha256: string): string | null;
  /** The place of the bundle, for commands; a file does not know it. */
  bundle?: string | null;
}

/** The address of an episode: its own page, else the index with it opened. */
export function episodeHref(line: EpisodeLine, { pageOf }: Links): string {
  return pageOf === null ? `#episodes?${new URLSearchParams({ episode: line.episode_id }).toString()}` : pageOf(line);
}

/** The address of the index with only the episodes of a cell. */
export function cellHref(task: string, entrant: string): string {
  return `#episodes?${new URLSearchParams({ task, entrant }).toString()}`;
}

/** An entrant as the index calls it. */
export function indexName({ agent, surface }: Pick<EpisodeLine, 'agent' | 'surface'>): string {
  return `${agent} · ${surface}`;
}
