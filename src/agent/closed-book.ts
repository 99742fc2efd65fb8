import type { Agent } from './agent.ts';
import type { AgentChoice } from './agent-choice.ts';

/** The name of the control that a model without tools is. */
export const CLOSED_BOOK = 'closed-book';

/** A model without tools: what it passes, is no matter of what one does. */
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

/** The agent in the same seat without any tool: it sees nothing and can do nothing. What it passes, it knew before. */
function closedBook(agent: Agent): Agent {
  const impossible = { kind: 'impossible' as const, why: 'it has no tools' };
  return {
    id: CLOSED_BOOK,
    decider: agent.decider,
    open: async (seat) =>
      await agent.open({ ...seat, tools: [], sight: () => null, bind: () => Promise.resolve(impossible) }),
  };
}
