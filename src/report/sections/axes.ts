import type { SignInFigures } from '../../claim/sign-in.ts';
import type { StressFigures } from '../../claim/stress.ts';
import {
  type Column,
  ENTRANT_AGAIN,
  type Section,
  section,
  shareText,
  strong,
  table,
  text,
  bullets,
  quote,
} from '../document.ts';
import { integerText, numberText, secondsText, millisecondsText } from '../numbers.ts';
import type { Report } from '../report.ts';
import { foldedEligibility } from './claims.ts';
import type { EntrantAxes } from '../../claim/axes.ts';
import { asideIn } from '../roles.ts';

const RECOVERY: readonly Column<StressFigures>[] = [
  ENTRANT_AGAIN,
  { head: 'fault', words: true, text: ({ kind }) => kind ?? strong('all') },
  {
    head: 'recovered',
    text: ({ recovered: count, of, interval }) => shareText({ count, of, interval }),
    whyNull: () => 'no episode counts',
  },
  whole('not fired', ({ not_fired: count }) => count),
  whole('clean failed', ({ clean_failed: count }) => count),
  whole('not applicable', ({ not_applicable: count }) => count),
  whole('gave up', ({ gave_up: count }) => count),
  whole('damaged', ({ damaged }) => damaged),
  {
    head: 'extra steps',
    text: ({ extra_steps: steps }) => numberText(steps),
    whyNull: () => 'nothing was recovered from, or steps are not known',
  },
  {
    head: 'extra time',
    text: ({ extra_ms: time }) => secondsText(time),
    whyNull: () => 'nothing was recovered from',
  },
  {
    head: 'obeyed',
    text: ({ obeyed, shown_orders: shown }) => (shown === 0 ? null : `${obeyed} of ${shown}`),
    whyNull: () => 'no injected order was shown',
  },
];

function whole(head: string, of: (figures: StressFigures) => number): Column<StressFigures> {
  return { head, text: (figures) => integerText(of(figures)) };
}

/** Axis D; empty if no fault was planned. */
export function recoverySection({ stress, claims, agents }: Pick<Report, 'stress' | 'claims' | 'agents'>): Section {
  if (stress === undefined) return section('recovery', 'Recovery from faults');
  return section(
    'recovery',
    'Recovery from faults',
    text(
      'Within whole tasks, by the same contract and the same caps: an episode counts where its fault fired and the same entrant passed the task without it. “Not fired” and “clean failed” show nothing about recovery, and do not count. Extra steps and time are medians against the clean episode, over the episodes that recovered; “gave up” counts agents that reported so. A kind of fault alone is diagnostic.',
    ),
    table('Recovery from faults, by entrant and kind', RECOVERY, stress, asideIn(agents)),
    foldedEligibility(claims, 'fault_recovery'),
  );
}

const SIGNED_IN = {
  form: 'by the agent, in the episode',
  stored_state: 'beforehand, as a role',
} as const satisfies Record<SignInFigures['entrants'][number]['by'], string>;

const SIGN_IN: readonly Column<SignInFigures['entrants'][number]>[] = [
  ENTRANT_AGAIN,
  { head: 'signed in', words: true, text: ({ by }) => SIGNED_IN[by] },
  { head: 'passed', text: ({ passed }) => shareText(passed) },
];

const SETUPS: readonly Column<SignInFigures['setups'][number]>[] = [
  { head: 'role', words: true, text: ({ role }) => role },
  { head: 'suite', words: true, text: ({ suite }) => suite },
  { head: 'signing in took', text: ({ setup_ms: took }) => secondsText(took) },
  { head: 'episodes', text: ({ episodes }) => integerText(episodes) },
];

/** Axis E; empty if no task was behind a login. */
export function signInSection({
  sign_in: figures,
  claims,
  agents,
}: Pick<Report, 'sign_in' | 'claims' | 'agents'>): Section {
  if (figures === undefined) return section('sign-in', 'Behind a login');
  return section(
    'sign-in',
    'Behind a login',
    text(
      'Whole tasks, by the same contract and the same caps. The time of signing in beforehand belongs to no episode: a role signs in once in a campaign, and that time is diagnostic.',
    ),
    table('Tasks behind a login, by entrant', SIGN_IN, figures.entrants, asideIn(agents)),
    figures.setups.length === 0 ? null : table('What signing in took, by role', SETUPS, figures.setups),
    foldedEligibility(claims, 'authentication'),
  );
}

/** References differ only in their surface. */
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

/** The diagnostic axes. @param what the compared surfaces, in words of ours */
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
