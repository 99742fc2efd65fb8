import type { Report } from './report.ts';
import type { Entrant } from '../claim/figures.ts';
import { counted } from './numbers.ts';
import { groupBy } from '../claim/group.ts';

const MAX_NAMES = 4;

/** Names a campaign: `basics: reference, null and parrot through aria`. */
export function titleText({ suites, tables: { entrants }, agents: planned }: Report): string {
  const agents = entrants.length === 0 ? planned.map(({ agent }) => agent) : entrants.map(({ agent }) => agent);
  const surfaces = entrants.map(({ surface }) => surface);
  const through = surfaces.length === 0 ? '' : ` through ${listed(surfaces, 'surfaces')}`;
  return `${listed(suites, 'suites')}: ${listed(agents, 'agents')}${through}`;
}

/** Introduces a report to a reader who has nothing else. */
export function leadText({ goals = [], tables: { tasks } }: Report): string {
  const planned = new Set(goals.map(({ suite, task }) => `${suite}/${task}`));
  const count = planned.size === 0 ? new Set(tasks.map(({ task }) => task)).size : planned.size;
  return `Touchstone report: what web agents did on ${counted(count, 'task')}, judged by the state in which they left the page and the app, not by their word.`;
}

/** Counts passes, apart from those of controls, which must not pass, and of baselines: `5 of 10 passed; controls 0 of 20; baselines 3 of 10`. */
export function groupCountsText(report: Report): string {
  const passed = `passed${report.stress === undefined ? '' : ' without faults'}`;
  const counts = [...groupsOf(report)].map(
    ([name, entrants]) => `${name === 'own' ? '' : `${name} `}${passCountText(entrants)}`,
  );
  return counts.map((count, at) => (at === 0 ? `${count} ${passed}` : count)).join('; ');
}

/** The entrants that compete, the controls and the baselines; none that is empty. */
export function groupsOf({ entrants, agents }: Report): Map<'own' | 'controls' | 'baselines', Report['entrants']> {
  const deciders = new Map(agents.map(({ agent, decider }) => [agent, decider]));
  const groups = groupBy(entrants, ({ agent }) => GROUPS.get(deciders.get(agent)) ?? 'own');
  return new Map(
    (['own', 'controls', 'baselines'] as const).flatMap((name) => {
      const group = groups.get(name);
      return group === undefined ? [] : [[name, group]];
    }),
  );
}

const GROUPS = new Map<Report['agents'][number]['decider'], 'controls' | 'baselines'>([
  ['control', 'controls'],
  ['baseline', 'baselines'],
]);

export function passCountText(entrants: Report['entrants']): string {
  const passed = entrants.reduce((sum, each) => sum + each.passed, 0);
  const episodes = entrants.reduce((sum, each) => sum + each.episodes, 0);
  return `${passed} of ${episodes}`;
}

/** The day in UTC: `24 November 2026`. */
export function dayText(time: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));
}

function listed(names: readonly string[], what: string): string {
  const each = [...new Set(names)];
  if (each.length > MAX_NAMES) return `${each.length} ${what}`;
  return new Intl.ListFormat('en-GB').format(each);
}

export function entrantText({ agent, surface }: Entrant): string {
  return `${agent} through ${surface}`;
}

/** The program that drew a report: `Touchstone 1.2.0 at 0123456789 with local changes`. */
export function programText({ bench_version: version, bench_commit: commit, bench_dirty: dirty }: Report): string {
  const at = commit === null ? '' : ` at ${commit.slice(0, 10)}${dirty === true ? ' with local changes' : ''}`;
  return `Touchstone ${version}${at}`;
}
