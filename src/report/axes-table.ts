import type { EntrantAxes } from '../claim/axes.ts';
import { codeSpan } from './code-span.ts';
import { markdownTable } from './markdown-table.ts';

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
      ['surface', 'version', 'passed', 'calls', 'tool errors'],
      ran.map((each) => [
        name(each),
        each.surface_version === null ? null : codeSpan(each.surface_version),
        `${each.passed} of ${each.episodes}`,
        count(each.median_calls),
        String(each.tool_errors),
      ]),
    ),
    '',
    'Axis A, tokens (o200k_base): the list of tools; the replies, for each episode that passed, without and with those that failed.',
    '',
    ...markdownTable(
      ['surface', 'tool list', 'replies per completed episode', 'replies expected, failures included'],
      ran.map((each) => [
        name(each),
        count(each.tool_list_tokens),
        count(each.response_tokens_per_completed),
        count(each.response_tokens_expected),
      ]),
    ),
    '',
    'Axis C, speed: until the surface is open; a call; an episode; all episodes for each that passed.',
    '',
    ...markdownTable(
      ['surface', 'open', 'call p50', 'call p95', 'episode', 'per completed episode'],
      ran.map((each) => [
        name(each),
        milliseconds(each.median_surface_open_ms),
        milliseconds(each.call_p50_ms),
        milliseconds(each.call_p95_ms),
        milliseconds(each.median_wall_ms),
        milliseconds(each.wall_ms_expected),
      ]),
    ),
    ...(rest.length === 0
      ? []
      : ['', ...rest.map((each) => `- ${name(each)}: ${codeSpan(each.why_not ?? 'no episode')}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** A reference says nothing of itself; whoever else decided is named. */
function name({ agent, surface }: EntrantAxes): string {
  return agent === 'reference' ? surface : `${agent} through ${surface}`;
}

function count(value: number | null): string | null {
  return value === null ? null : String(Math.round(value * 10) / 10);
}

function milliseconds(value: number | null): string | null {
  return value === null ? null : `${Math.round(value)} ms`;
}
