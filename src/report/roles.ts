import type { Row } from '../bundle/row.ts';
import type { EpisodeLine } from './counted-rows.ts';
import { counted, percent } from './numbers.ts';
import type { Report, ReportedEpisodes } from './report.ts';

/** An agent, and who decides for it if the pins of the campaign state that. */
interface Decided {
  agent: string;
  decider?: Row['decider'] | undefined;
}

/** Whether an agent only follows the task's own solution, so that its failures are the task's. */
export function isReference({ agent }: Pick<Row, 'agent'>): boolean {
  return agent === 'reference' || agent === 'retrying-reference';
}

/** Whether an agent is a control or a baseline, which competes with no other. */
export function isControl({ decider }: Decided): boolean {
  return decider === 'control' || decider === 'baseline';
}

/** The names of controls and baselines. */
export function controlsIn(agents: Report['agents']): ReadonlySet<string> {
  return new Set(agents.filter(isControl).map(({ agent }) => agent));
}

/** Whether a line is of a control or a baseline, which pages draw in grey. */
export function asideIn(agents: Report['agents']): (line: { agent: string }) => boolean {
  const controls = controlsIn(agents);
  return ({ agent }) => controls.has(agent);
}

/** Statuses in which the judge passed nothing; any other means that a control broke, or was not tried. */
const HELD = new Set<Row['status']>(['failed', 'gave_up', 'max_steps', 'max_turns', 'timeout']);

export function failedAsExpected({ status, decider }: Pick<Row, 'status'> & Partial<DecidedLine>): boolean {
  return decider === 'control' && HELD.has(status);
}

/** The status of an episode in words: `failed, as expected` of a control. */
export function statusText(outcome: Parameters<typeof failedAsExpected>[0]): string {
  return failedAsExpected(outcome) ? `${outcome.status}, as expected` : outcome.status;
}

/** The milestones that an episode reached, in words; null if its task has none. */
export function milestonesText({
  milestones,
  guard_verdict: guard,
}: Pick<EpisodeLine, 'milestones' | 'guard_verdict'>): string | null {
  if (milestones === undefined) return null;
  const { share, reached, of } = milestones;
  const percents = share === null ? 'share unknown' : `${Number(percent(share))} %`;
  return `${reached.length} of ${counted(of, 'milestone')}, ${percents}${guard === 'fail' ? ': a guard is broken' : ''}`;
}

export type DecidedLine = EpisodeLine & { decider: Row['decider'] | undefined };

/** The episodes of a report with their deciders, those of controls and baselines last. */
export function competitorsFirst({ agents, episodes }: ReportedEpisodes): DecidedLine[] {
  const deciders = new Map(agents.map(({ agent, decider }) => [agent, decider]));
  return controlsLast(episodes.map((line) => ({ ...line, decider: deciders.get(line.agent) })));
}

export function controlsLast<Line extends Decided>(lines: readonly Line[]): Line[] {
  return [...lines.filter((line) => !isControl(line)), ...lines.filter(isControl)];
}
