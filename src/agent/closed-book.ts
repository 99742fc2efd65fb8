import type { Agent } from './agent.ts';
import type { AgentChoice } from './agent-choice.ts';

/** Id of the control that is a model without tools. */
export const CLOSED_BOOK = 'closed-book';

/** A model without tools: a task that it passes needs nothing done. */
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

/** The agent in the same seat without any tool: it sees nothing and can do nothing. A task that it passes asks for what it knew before. */
function closedBook(agent: Agent): Agent {
  const impossible = { kind: 'impossible' as const, why: 'it has no tools' };
  return {
    id: CLOSED_BOOK,
    decider: agent.decider,
    open: async (seat) => await agent.open({ ...seat, tools: [], bind: () => Promise.resolve(impossible) }),
  };
}
