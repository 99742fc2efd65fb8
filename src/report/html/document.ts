import { readFileSync } from 'node:fs';
import { inlined, type Markup, markup } from './markup.ts';
import type { EpisodeLine } from '../counted-rows.ts';

/** A page of ours. */
export interface Document {
  html: string;
  /** Its content security policy: nothing but its own styles and script, named by their hashes, and what it was allowed. */
  policy: string;
}

interface Parts {
  title: string;
  content: Markup;
  /** Files in `src/report/pages/`. */
  styles: readonly string[];
  scripts: readonly string[];
  /** Directives beside those, for example `img-src 'self'`. */
  allowed?: readonly string[];
}

/** A page that asks for nothing that it was not allowed, and in which nothing runs but the script that is ours. */
export function htmlDocument({ title, content, styles, scripts, allowed = [] }: Parts): Document {
  const style = inlined('style', styles.map(ours).join('\n'));
  const script = inlined('script', scripts.map(ours).join('\n'));
  const policy = [
    "default-src 'none'",
    `style-src ${style.source}`,
    `script-src ${script.source}`,
    "base-uri 'none'",
    "form-action 'none'",
    ...allowed,
  ].join('; ');
  const html = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${style.element}
</head>
<body>
${content}
${script.element}
</body>
</html>
`;
  return { html: String(html), policy };
}

/** The same address from `src` and from `dist`, where no build copies styles and scripts. */
function ours(file: string): string {
  return readFileSync(new URL(`../../../src/report/pages/${file}`, import.meta.url), 'utf8');
}

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
