import type { Agent } from '../agent.ts';
import { alike } from '../agent-choice.ts';

/** Does nothing and repeats the goal as its answer. A task that it passes grades words instead of work. */
export const parrot: Agent = {
  id: 'parrot',
  decider: 'control',
  open: ({ brief }) =>
    Promise.resolve({ next: () => Promise.resolve({ kind: 'done', answer: { value: brief.goal } }) }),
};

export const parrotKind = alike(parrot, 'does nothing and answers with the goal');
