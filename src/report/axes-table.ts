import type { EntrantAxes } from '../claim/axes.ts';
import { codeSpan } from './code-span.ts';
import { millisecondsText } from './figure-text.ts';
import { type Column, markdownTable } from './markdown-table.ts';
import { entrantText } from './entrant-text.ts';

/** References alone are told apart by their surface, and say nothing of themselves; of others, who decided is named too. */
const SURFACE: Column<EntrantAxes> = { head: 'surface', left: true, cell: ({ surface }) => surface };
const ENTRANT_OF: Column<EntrantAxes> = { head: 'entrant', left: true, cell: entrantText };

/**
 * The diagnostic axes as Markdown, for a document or a terminal.
 * @param title what was compared, in our own words
 */
export function axesTables(title: string, entrants: readonly EntrantAxes[]): string {
  const ran = entrants.filter(({ episodes }) => episodes > 0);
  const rest = entrants.filter(({ episodes }) => episodes === 0);
  const who = entrants.every(({ agent }) => agent === 'reference') ? SURFACE : ENTRANT_OF;
  const lines = [
    `${title}. Diagnostic: how the tasks were done, not who does more of them.`,
    '',
    ...markdownTable(
      [
        who,
        {
          head: 'version',
          left: true,
          cell: ({ surface_version: version }) => (version === null ? null : codeSpan(version)),
        },
        { head: 'passed', cell: ({ passed, episodes }) => `${passed} of ${episodes}` },
        { head: 'calls', cell: ({ median_calls: calls }) => tenths(calls) },
        { head: 'tool errors', cell: ({ tool_errors: errors }) => errors },
      ],
      ran,
    ),
    '',
    'Axis A, tokens (o200k_base): the list of tools; the replies, for each episode that passed, without and with those that failed.',
    '',
    ...markdownTable(
      [
        who,
        { head: 'tool list', cell: (each) => tenths(each.tool_list_tokens) },
        { head: 'replies per completed episode', cell: (each) => tenths(each.response_tokens_per_completed) },
        { head: 'replies expected, failures included', cell: (each) => tenths(each.response_tokens_expected) },
      ],
      ran,
    ),
    '',
    'Axis C, speed: until the surface is open; a call; an episode; all episodes for each that passed.',
    '',
    ...markdownTable(
      [
        who,
        { head: 'open', cell: (each) => millisecondsText(each.median_surface_open_ms) },
        { head: 'call p50', cell: (each) => millisecondsText(each.call_p50_ms) },
        { head: 'call p95', cell: (each) => millisecondsText(each.call_p95_ms) },
        { head: 'episode', cell: (each) => millisecondsText(each.median_wall_ms) },
        { head: 'per completed episode', cell: (each) => millisecondsText(each.wall_ms_expected) },
      ],
      ran,
    ),
    ...(rest.length === 0
      ? []
      : ['', ...rest.map((each) => `- ${who.cell(each)}: ${codeSpan(each.why_not ?? 'no episode')}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

function tenths(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10;
}
