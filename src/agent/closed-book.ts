import type { Agent } from './agent.ts';

/** The agent in the same seat without any tool: it sees nothing and can do nothing. What it passes, it knew before. */
export function closedBook(agent: Agent): Agent {
  const impossible = { kind: 'impossible' as const, why: 'it has no tools' };
  return {
    id: 'closed-book',
    decider: agent.decider,
    open: async (seat) =>
      await agent.open({ ...seat, tools: [], sight: () => null, bind: () => Promise.resolve(impossible) }),
  };
}
