import type { Row } from '../bundle/row.ts';
import { endedAsItMust, statusText } from '../report/as-it-must.ts';
import type { failureText } from '../report/html/failure-gallery.ts';
import { type Markup, markup } from '../report/html/markup.ts';

/** The styles and script of every page about episodes, and what it may ask for: its own pictures and long texts, from where it came. */
export const PAGE_OF_EPISODE = {
  styles: ['report.css', 'episode.css'],
  scripts: ['episode.js'],
  allowed: ["img-src 'self'", "connect-src 'self'"],
} as const;

/** The status of an attempt, in its colour. */
export function statusChip(row: Row): Markup {
  const { status } = row;
  const isAbsent = status === 'not_applicable' || status === 'unavailable' || endedAsItMust(row);
  return markup`<span class="chip status ${status === 'passed' ? 'passed' : isAbsent ? 'absent' : 'lost'}">${statusText(row)}</span>`;
}

/** A row as the sentence about its failure is made from. */
export function failureOf(row: Row): Parameters<typeof failureText>[0] {
  return { ...row, why_not: row.stop === null ? (row.null_reasons['steps'] ?? null) : null };
}
