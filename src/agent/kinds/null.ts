import type { Agent } from '../agent.ts';
import { alike } from '../agent-choice.ts';

/** Does nothing and says that it is done. A task that it passes needs no work. */
export const nullAgent: Agent = {
  id: 'null',
  decider: 'control',
  open: () => Promise.resolve({ next: () => Promise.resolve({ kind: 'done', answer: null }) }),
};

export const nullKind = alike(nullAgent, 'does nothing and says done');
