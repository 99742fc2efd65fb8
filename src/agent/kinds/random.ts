import { hashJson } from '../../contract/canonical.ts';
import type { SurfaceIntent } from '../../task/intent.ts';
import type { ToolReply } from '../../task/tool.ts';
import type { Agent, Move } from '../agent.ts';
import { type AgentChoice, fixed } from '../agent-choice.ts';
import { CLICKABLE, FIELDS, type Observation, observe } from '../keyword/observation.ts';

const MAX_STEPS = 8;
/** Most draws for a step, since the surface may be unable to do the draw. */
const MAX_DRAWS = 10;

/**
 * Looks, then acts at random on what it sees, and is done after a random number of steps. A task that it passes can be passed by chance.
 * The same seed and replies give the same moves.
 */
export const random: Agent = {
  id: 'random',
  decider: 'control',
  open: async ({ brief, bind, seed }) => {
    let drawn = 0;
    const draw = (count: number): number => {
      drawn += 1;
      return Number.parseInt(hashJson([seed, drawn]).slice(0, 12), 16) % count;
    };
    const words = brief.goal.split(/\s+/);
    let left = 1 + draw(MAX_STEPS);
    let hasLooked = false;
    const next = async (last: ToolReply | null): Promise<Move> => {
      const intents = last?.ok === true ? possible(observe(last.text), words, draw) : [];
      if (intents.length === 0 && !hasLooked) {
        hasLooked = true;
        const look = await bind({ do: 'read' }, last);
        if (look.kind !== 'impossible') return { kind: 'call', call: look.call };
      }
      hasLooked = false;
      left -= 1;
      if (left < 0 || intents.length === 0) return { kind: 'done', answer: null };
      for (let draws = 0; draws < MAX_DRAWS; draws += 1) {
        const binding = await bind(intents[draw(intents.length)] ?? { do: 'read' }, last);
        if (binding.kind === 'call') return { kind: 'call', call: binding.call };
      }
      return { kind: 'done', answer: null };
    };
    return { next };
  },
};

export const randomKind: AgentChoice = { ...fixed(random, 'acts at random on what it sees'), readsTrees: true };

/** All that can be done on what is seen. A field is filled with a word of the goal. */
function possible(
  { elements, tabs, hasDialog }: Observation,
  words: readonly string[],
  draw: (count: number) => number,
): SurfaceIntent[] {
  if (hasDialog) {
    return [
      { do: 'dialog', action: 'accept' },
      { do: 'dialog', action: 'dismiss' },
    ];
  }
  const onElements = elements.flatMap(({ role, name, options }): SurfaceIntent[] => {
    if (CLICKABLE.has(role)) return [{ do: 'click', role, name }];
    if (FIELDS.has(role)) return [{ do: 'fill', label: name, text: words[draw(words.length)] ?? '' }];
    return options.map((option) => ({ do: 'choose', label: name, option }));
  });
  const others: SurfaceIntent[] = [{ do: 'press', key: 'Enter' }];
  const onTabs = Array.from({ length: tabs?.count ?? 0 }, (_, index): SurfaceIntent => ({ do: 'switch_tab', index }));
  return onElements.length === 0 ? [] : [...onElements, ...onTabs, ...others];
}
