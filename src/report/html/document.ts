import { readFileSync } from 'node:fs';
import { inlined, type Markup, markup } from './markup.ts';
import type { EpisodeLine } from '../counted-rows.ts';

export interface Document {
  html: string;
  /** Its content security policy: its own styles and script, by their hashes, and what it was allowed. */
  policy: string;
}

interface Parts {
  title: string;
  content: Markup;
  /** Files in `src/report/pages/`. */
  styles: readonly string[];
  scripts: readonly string[];
  /** More directives, for example `img-src 'self'`. */
  allowed?: readonly string[];
}

/** A page that loads only what it was allowed, and runs only our script. */
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

/** Finds the file from `src` and from `dist`; builds copy no styles and scripts. */
function ours(file: string): string {
  return readFileSync(new URL(`../../../src/report/pages/${file}`, import.meta.url), 'utf8');
}

export interface Links {
  /** Null: episodes have no pages. */
  pageOf: ((episode: EpisodeLine) => string) | null;
  /** The address of a picture, by its blob. */
  pictureOf(sha256: string): string | null;
  /** The path of the bundle, for commands. */
  bundle?: string | null;
}

export function episodeHref(line: EpisodeLine, { pageOf }: Links): string {
  return pageOf === null ? `#episodes?${new URLSearchParams({ episode: line.episode_id }).toString()}` : pageOf(line);
}

/** Links to the index, filtered by a cell. */
export function cellHref(task: string, entrant: string): string {
  return `#episodes?${new URLSearchParams({ task, entrant }).toString()}`;
}

export function indexName({ agent, surface }: Pick<EpisodeLine, 'agent' | 'surface'>): string {
  return `${agent} · ${surface}`;
}
