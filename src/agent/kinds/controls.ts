import { fact } from '../../messages/messages.ts';
import { type Agent, AgentError } from '../agent.ts';
import { fixed, type AgentChoice } from '../agent-choice.ts';
import type { Intent } from '../../task/intent.ts';
import type { Task } from '../../task/schema.ts';

/** Does nothing and reports that it is done. A task that it passes needs no work. */
export const nullAgent: Agent = {
  id: 'null',
  decider: 'control',
  open: () => Promise.resolve({ next: () => Promise.resolve({ kind: 'done', answer: null }) }),
};

export const nullKind = fixed(nullAgent, 'does nothing and says done');

/** Does nothing and repeats the goal as its answer. A task that it passes grades words instead of work. */
export const parrot: Agent = {
  id: 'parrot',
  decider: 'control',
  open: ({ brief }) =>
    Promise.resolve({ next: () => Promise.resolve({ kind: 'done', answer: { value: brief.goal } }) }),
};

export const parrotKind = fixed(parrot, 'does nothing and answers with the goal');

/** Gives up at once. A task that it passes can be passed without trying. */
export const quitter: Agent = {
  id: 'quitter',
  decider: 'control',
  open: () => Promise.resolve({ next: () => Promise.resolve({ kind: 'give_up', reason: 'it always gives up' }) }),
};

export const quitterKind = fixed(quitter, 'gives up at once');

/** Goes straight to an address and reports that it is done. A task that it passes only checks the address. */
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
          throw new AgentError(fact('address_not_bound', { url, why }));
        },
      });
    },
  };
}

/** It cannot know an address that a solution reaches by clicking. */
export const teleportKind: AgentChoice = {
  id: 'teleport',
  about: "goes straight to the last address of the task's solutions",
  decider: 'control',
  followsSteps: true,
  dependsOn: routesOf,
  forCell: ({ task, solutionFor }) => {
    if (solutionFor === 'tools') return Promise.resolve({ notApplicable: "no tool of the app's own opens an address" });
    const urls = routesOf(task).flatMap((steps) => steps.flatMap((step) => (step.do === 'go' ? [step.url] : [])));
    return Promise.resolve({ agent: teleport(urls.at(-1) ?? task.startUrl), transcript: null });
  },
};

function routesOf({ solutions = [] }: Task): (readonly Intent[])[] {
  return solutions.filter((each) => each.for === 'page').map(({ steps }) => steps);
}

export const CLOSED_BOOK = 'closed-book';

export function closedBookAgent(model: AgentChoice): AgentChoice {
  return {
    ...model,
    id: CLOSED_BOOK,
    aliases: [],
    about: `${model.id}, without tools`,
    forCell: async (materials) => {
      const made = await model.forCell(materials);
      return 'agent' in made && 'open' in made.agent ? { ...made, agent: closedBook(made.agent) } : made;
    },
  };
}

/** The agent without tools: it sees nothing and can do nothing. A task that it passes asks for what it knew before. */
function closedBook(agent: Agent): Agent {
  const impossible = { kind: 'impossible' as const, why: 'it has no tools' };
  return {
    id: CLOSED_BOOK,
    decider: agent.decider,
    open: async (seat) => await agent.open({ ...seat, tools: [], bind: () => Promise.resolve(impossible) }),
  };
}
