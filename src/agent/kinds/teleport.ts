import type { Intent } from '../../task/intent.ts';
import type { Task } from '../../task/schema.ts';
import { type Agent, AgentError } from '../agent.ts';
import type { AgentChoice } from '../agent-choice.ts';

/** Goes straight to an address and says that it is done. A task that it passes asks where one is, not what one did. */
export function teleport(url: string): Agent {
  return {
    id: 'teleport',
    decider: 'control',
    open: ({ bind }) => {
      let hasGone = false;
      return Promise.resolve({
        next: async (last) => {
          const binding = await bind({ do: 'go', url }, last);
          if (hasGone) return { kind: 'done', answer: null };
          hasGone = true;
          if (binding.kind === 'call') return { kind: 'call', call: binding.call };
          const why = binding.kind === 'impossible' ? binding.why : 'the surface must look first';
          throw new AgentError(
            'cannot_bind',
            `cannot go to ${url}: ${why}`,
            'give the surface a way to open an address',
          );
        },
      });
    },
  };
}

/** Does not know an address that a solution reaches by clicking, since no step names it. */
export const teleportKind: AgentChoice = {
  id: 'teleport',
  about: "goes straight to the last address of the task's solutions",
  decider: 'control',
  followsSteps: true,
  goesBy: routesOf,
  forCell: ({ task, solutionFor }) => {
    if (solutionFor === 'tools') return Promise.resolve({ notApplicable: "no tool of the app's own opens an address" });
    const urls = routesOf(task).flatMap((steps) => steps.flatMap((step) => (step.do === 'go' ? [step.url] : [])));
    return Promise.resolve({ agent: teleport(urls.at(-1) ?? task.startUrl), transcript: null });
  },
};

function routesOf({ solutions = [] }: Task): (readonly Intent[])[] {
  return solutions.filter((each) => each.for === 'page').map(({ steps }) => steps);
}
