import type { Agent } from '../agent.ts';
import { alike } from '../agent-choice.ts';

/** Gives up at once. A task that it passes can be passed without trying. */
export const quitter: Agent = {
  id: 'quitter',
  decider: 'control',
  open: () => Promise.resolve({ next: () => Promise.resolve({ kind: 'give_up', reason: 'it always gives up' }) }),
};

export const quitterKind = alike(quitter, 'gives up at once');
