import type { Row } from '../bundle/row.ts';

/** Beginnings of the `detail` of an entrant that broke, as the episode writes them, and what broke then. All others are the agent's. */
const BEGINNINGS: readonly [beginning: RegExp, what: string][] = [
  [/^the surface (?:broke: |is none: |could not be opened: |did not open within )/, 'the surface broke'],
  [/^the browser process ended\b/, 'the browser ended'],
  [/^the connection to the browser was lost\b/, 'the connection to the browser was lost'],
  [
    /^(?:calls were made|the agent said that it was done), and this browser saw no command of (?:them|it)$/,
    'nothing of it reached the browser',
  ],
];

/** Says what of an entrant broke, its agent apart; null where it was that. */
export function brokenBesideAgent({ detail }: Pick<Row, 'detail'>): string | null {
  return BEGINNINGS.find(([beginning]) => detail !== null && beginning.test(detail))?.[1] ?? null;
}
