import type { EntrantAxes } from '../claim/axes.ts';
import { type Column, ENTRANT_AGAIN, bullets, quote, type Section, section, table, text } from './document.ts';
import { millisecondsText } from './numbers.ts';

/** References differ in their surface alone. */
const SURFACE: Column<EntrantAxes> = { head: 'surface', words: true, text: ({ surface }) => surface };

const EFFORT: readonly Column<EntrantAxes>[] = [
  {
    head: 'version',
    words: true,
    text: ({ surface_version: version }) => (version === null ? null : quote(version)),
  },
  { head: 'passed', text: ({ passed, episodes }) => `${passed} of ${episodes}` },
  { head: 'calls', text: ({ median_calls: calls }) => tenths(calls) },
  { head: 'tool errors', text: ({ tool_errors: errors }) => errors },
];

const TOKENS: readonly Column<EntrantAxes>[] = [
  { head: 'tool list', text: (each) => tenths(each.tool_list_tokens) },
  { head: 'replies per completed episode', text: (each) => tenths(each.response_tokens_per_completed) },
  { head: 'replies expected, failures included', text: (each) => tenths(each.response_tokens_expected) },
];

const SPEED: readonly Column<EntrantAxes>[] = [
  { head: 'open', text: (each) => millisecondsText(each.median_surface_open_ms) },
  { head: 'call p50', text: (each) => millisecondsText(each.call_p50_ms) },
  { head: 'call p95', text: (each) => millisecondsText(each.call_p95_ms) },
  { head: 'episode', text: (each) => millisecondsText(each.median_wall_ms) },
  { head: 'per completed episode', text: (each) => millisecondsText(each.wall_ms_expected) },
];

/**
 * The diagnostic axes.
 * @param what was compared, in our own words
 */
export function axesSection(what: string, entrants: readonly EntrantAxes[]): Section {
  const ran = entrants.filter(({ episodes }) => episodes > 0);
  const rest = entrants.filter(({ episodes }) => episodes === 0);
  const name: Column<EntrantAxes> = entrants.every(({ agent }) => agent === 'reference') ? SURFACE : ENTRANT_AGAIN;
  return section(
    'axes',
    'What the tools cost',
    text(`${what}. Diagnostic: how the tasks were done, not who does more of them.`),
    table('Effort', [name, ...EFFORT], ran),
    text(
      'Axis A, tokens (o200k_base): the list of tools; the replies, for each episode that passed, without and with those that failed.',
    ),
    table('Tokens', [name, ...TOKENS], ran),
    text('Axis C, speed: until the surface is open; a call; an episode; all episodes for each that passed.'),
    table('Speed', [name, ...SPEED], ran),
    bullets(rest.map((each, at) => [name.text(each, at) ?? '', ': ', quote(each.why_not ?? 'no episode')])),
  );
}

function tenths(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10;
}
