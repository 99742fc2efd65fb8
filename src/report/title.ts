import type { Report } from './report.ts';

const MOST_NAMES = 4;

/** Name a campaign in words: `basics: reference, null and parrot through aria`. */
export function titleText({ suites, tables: { entrants }, agents: planned }: Report): string {
  const agents = entrants.length === 0 ? planned.map(({ agent }) => agent) : entrants.map(({ agent }) => agent);
  const surfaces = entrants.map(({ surface }) => surface);
  const through = surfaces.length === 0 ? '' : ` through ${listed(surfaces, 'surfaces')}`;
  return `${listed(suites, 'suites')}: ${listed(agents, 'agents')}${through}`;
}

/** Count the episodes that passed: `5 of 10 passed`. */
export function passedText({ entrants, stress }: Report): string {
  const passed = entrants.reduce((sum, each) => sum + each.passed, 0);
  const faultFree = entrants.reduce((sum, each) => sum + each.episodes, 0);
  return `${passed} of ${faultFree} passed${stress === undefined ? '' : ' without faults'}`;
}

/** Write the day of UTC: `24 November 2026`. */
export function dayText(time: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));
}

function listed(names: readonly string[], what: string): string {
  const each = [...new Set(names)];
  if (each.length > MOST_NAMES) return `${each.length} ${what}`;
  return new Intl.ListFormat('en-GB').format(each);
}
