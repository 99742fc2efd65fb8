import type { Row } from '../bundle/row.ts';
import { isControl } from './glossary.ts';
import type { EpisodeLine } from './counted-rows.ts';
import type { Report } from './report.ts';

/** The end of an episode, and who decided it, where that is known. */
interface Outcome {
  status: Row['status'];
  decider?: Row['decider'] | undefined;
}

/** Statuses by which the judge has not been talked into a pass. Any other says that a control itself broke, or was not tried. */
const HELD = new Set<Row['status']>(['failed', 'gave_up', 'max_steps', 'max_turns', 'timeout']);

/** Whether an episode is of a control that did not pass, which is what it is there for. */
export function endedAsItMust({ status, decider }: Outcome): boolean {
  return decider === 'control' && HELD.has(status);
}

/** The status of an episode in words: `failed, as it must` where a control did not pass. */
export function statusText(outcome: Outcome): string {
  return endedAsItMust(outcome) ? `${outcome.status}, as it must` : outcome.status;
}

/** An episode as the report lists it, with who decided it. */
export type DecidedLine = EpisodeLine & { decider: Row['decider'] | undefined };

/** The episodes of a report with who decided them: first those of all who compete, then those of controls and baselines. */
export function rivalsFirst({ agents, episodes }: Pick<Report, 'agents' | 'episodes'>): DecidedLine[] {
  const deciders = new Map(agents.map(({ agent, decider }) => [agent, decider]));
  const decided = episodes.map((line) => ({ ...line, decider: deciders.get(line.agent) }));
  return besideLast(decided);
}

/** The same order for whatever is decided by somebody. */
export function besideLast<Line extends Beside>(lines: readonly Line[]): Line[] {
  return [...lines.filter((each) => !isBeside(each)), ...lines.filter(isBeside)];
}

interface Beside {
  agent: string;
  decider?: Row['decider'] | undefined;
}

function isBeside({ agent, decider }: Beside): boolean {
  return decider !== undefined && isControl({ agent, decider });
}

/** Say of controls that said done over nothing that they have to; null where none did. */
export function overClaimNote({ claims, agents }: Pick<Report, 'claims' | 'agents'>): string | null {
  const controls = controlNames(agents);
  const claimed = claims.entrants.filter(
    ({ agent, success }) => controls.has(agent) && success.testimony.over_claims > 0,
  );
  const names = [...new Set(claimed.map(({ agent }) => agent))];
  if (names.length === 0) return null;
  const are = names.length === 1 ? 'is a control: it says' : 'are controls: they say';
  return `${new Intl.ListFormat('en-GB').format(names)} ${are} done over nothing on purpose, to try the judge.`;
}

/** The agents that compete with nobody, and are grey wherever a page has colours. */
export function agentsBeside(agents: Report['agents']): ReadonlySet<string> {
  return new Set(agents.flatMap((each) => (isControl(each) ? [each.agent] : [])));
}

/** Whether a line is of an agent that does not compete. */
export function asideIn(agents: Report['agents']): (line: { agent: string }) => boolean {
  const beside = agentsBeside(agents);
  return ({ agent }) => beside.has(agent);
}

/** The agents that must not pass. */
function controlNames(agents: Report['agents']): ReadonlySet<string> {
  return new Set(agents.flatMap(({ agent, decider }) => (decider === 'control' ? [agent] : [])));
}
