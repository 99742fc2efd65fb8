import { type Agent, AgentError } from './agent.ts';

/** Does nothing and says that it is done. What passes it, passes without work. */
export const nullAgent: Agent = {
  id: 'null',
  decider: 'control',
  open: () => Promise.resolve({ next: () => Promise.resolve({ kind: 'done', answer: null }) }),
};

/** Does nothing and repeats the goal as its answer. What passes it, grades words instead of work. */
export const parrot: Agent = {
  id: 'parrot',
  decider: 'control',
  open: ({ brief }) =>
    Promise.resolve({ next: () => Promise.resolve({ kind: 'done', answer: { value: brief.goal } }) }),
};

/** Gives up at once. What passes it, passes whoever did not try. */
export const quitter: Agent = {
  id: 'quitter',
  decider: 'control',
  open: () => Promise.resolve({ next: () => Promise.resolve({ kind: 'give_up', reason: 'it always gives up' }) }),
};

/** Goes straight to an address and says that it is done. What passes it, is about where one is and not about what one did. */
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
