import type { EntrantAxes } from '../claim/axes.ts';
import { codeSpan } from './code-span.ts';
import { millisecondsText } from './figure-text.ts';
import { type Column, markdownTable } from './markdown-table.ts';
import { entrantText } from './entrant-text.ts';

const SURFACE: Column<EntrantAxes> = { head: 'surface', left: true, cell: name };

/**
 * The diagnostic axes as Markdown, for a document or a terminal.
 * @param title what was compared, in our own words
 */
export function axesTables(title: string, entrants: readonly EntrantAxes[]): string {
  const ran = entrants.filter(({ episodes }) => episodes > 0);
  const rest = entrants.filter(({ episodes }) => episodes === 0);
  const lines = [
    `${title}. Diagnostic: how the tasks were done, not who does more of them.`,
    '',
    ...markdownTable(
      [
        SURFACE,
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
        SURFACE,
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
        SURFACE,
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
      : ['', ...rest.map((each) => `- ${name(each)}: ${codeSpan(each.why_not ?? 'no episode')}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** A reference says nothing of itself; whoever else decided is named. */
function name(entrant: EntrantAxes): string {
  return entrant.agent === 'reference' ? entrant.surface : entrantText(entrant);
}

function tenths(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10;
}
