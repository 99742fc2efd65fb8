import type { AgentSeat } from '../../src/agent/agent.ts';
import type { Bind } from '../../src/task/intent.ts';
import type { ToolReply } from '../../src/task/tool.ts';

/** Hears of model calls, and holds none of them. */
const UNHEARD: AgentSeat['turns'] = {
  afford: () => Promise.resolve(),
  begin: () => {},
  asked: () => {},
  held: () => {},
  retried: () => {},
  end: () => {},
};

const CAPS = { steps: 10, turns: null, wall_ms: 1_000, tokens: null, cost_usd: null };

/** A seat at a surface with these tools, which binds like this. */
export function seatWith(
  tools: readonly string[] = [],
  bind: Bind = () => ({ kind: 'impossible', why: 'no' }),
): AgentSeat {
  return {
    brief: { id: 'send-form', title: 'Send', goal: 'Send the form.', startUrl: 'http://a.test/', caps: CAPS },
    surface: 'aria',
    tools: tools.map((name) => ({ name, description: name, input_schema: {} })),
    bind,
    pageState: () => Promise.resolve(null),
    seed: 'a',
    turns: UNHEARD,
  };
}

/** A reply of this kind. */
export function reply(kind: string): ToolReply {
  return { ok: kind !== 'error', kind, text: '' };
}

/** A signal that never fires. */
export const NEVER: AbortSignal = new AbortController().signal;
