import { isControl } from './glossary.ts';
import type { Report } from './report.ts';
import type { Entrant } from '../claim/figures.ts';

const MOST_NAMES = 4;

/** Name a campaign in words: `basics: reference, null and parrot through aria`. */
export function titleText({ suites, tables: { entrants }, agents: planned }: Report): string {
  const agents = entrants.length === 0 ? planned.map(({ agent }) => agent) : entrants.map(({ agent }) => agent);
  const surfaces = entrants.map(({ surface }) => surface);
  const through = surfaces.length === 0 ? '' : ` through ${listed(surfaces, 'surfaces')}`;
  return `${listed(suites, 'suites')}: ${listed(agents, 'agents')}${through}`;
}

/** Say what a report is to whoever has nothing but it: of how many tasks, and by what they were judged. */
export function leadText({ goals = [], tables: { tasks } }: Report): string {
  const planned = new Set(goals.map(({ suite, task }) => `${suite}/${task}`));
  const count = planned.size === 0 ? new Set(tasks.map(({ task }) => task)).size : planned.size;
  const of = count === 1 ? 'one task' : `${count} tasks`;
  return `Touchstone report: what web agents did on ${of}, judged by the state in which they left the page and the app, not by their word.`;
}

/** Count the episodes that passed, and apart from them those of controls, which have to fail: `5 of 10 passed; controls 0 of 20`. */
export function passedText({ entrants, agents, stress }: Report): string {
  const controls = new Set(agents.filter(isControl).map(({ agent }) => agent));
  const own = entrants.filter(({ agent }) => !controls.has(agent));
  const compared = entrants.filter(({ agent }) => controls.has(agent));
  const passed = `passed${stress === undefined ? '' : ' without faults'}`;
  if (own.length === 0 || compared.length === 0) return `${countOf(entrants)} ${passed}`;
  return `${countOf(own)} ${passed}; controls ${countOf(compared)}`;
}

function countOf(entrants: Report['entrants']): string {
  const passed = entrants.reduce((sum, each) => sum + each.passed, 0);
  const episodes = entrants.reduce((sum, each) => sum + each.episodes, 0);
  return `${passed} of ${episodes}`;
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

/** Name an entrant in a sentence. */
export function entrantText({ agent, surface }: Entrant): string {
  return `${agent} through ${surface}`;
}
