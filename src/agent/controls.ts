import type { Agent } from './agent.ts';

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
