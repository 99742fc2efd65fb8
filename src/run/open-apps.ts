import { canBubblewrap } from '../process/sandbox/bubblewrap.ts';
import type { AgentChoice } from '../agent/agent-choice.ts';
import { CLOSED_BOOK } from '../agent/kinds/controls.ts';
import type { Entrants } from '../plan/entrants.ts';
import type { PlannedTask } from '../plan/plan.ts';
import { fact } from '../messages/messages.ts';
import { WorldError } from '../world/error.ts';
import { realAppAt, type SuiteWorld } from './suite-world.ts';

/**
 * Whoever decides for themselves may have a real application run any command, and without a sandbox that is one of ours: it could
 * write the verdict. Solutions, transcripts and controls do nothing of the kind.
 * @throws WorldError naming who would meet which application.
 */
export function refuseOpenApps(
  episodes: readonly { agent: string; planned: Pick<PlannedTask, 'suite' | 'task'> }[],
  worlds: ReadonlyMap<string, SuiteWorld>,
  entrants: Pick<Entrants, 'agent'>,
  canSandbox: () => boolean = canBubblewrap,
): void {
  for (const { agent, planned } of episodes) {
    const choice = entrants.agent(agent);
    const world = worlds.get(planned.suite);
    const app = world === undefined ? null : realAppAt(world, planned.task.startUrl);
    if (app === null || !decidesForItself(choice) || canSandbox()) continue;
    throw new WorldError(fact('app_not_isolated', { agent: choice.id, app }));
  }
}

/** A model without tools does nothing at all. */
function decidesForItself({ id, decider }: AgentChoice): boolean {
  return decider === 'process' || (decider === 'model' && id !== CLOSED_BOOK);
}
