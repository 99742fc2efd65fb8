import { type Model, ModelError } from '../../model/conversation.ts';
import { costOf, type Price } from '../../model/prices.ts';
import type { OutageError } from '../turn.ts';

/** The tool that a model is asked to call before the first episode. */
export const READY = 'touchstone_ready';

/** The model's answer to the question before the first episode. */
export interface Answered {
  /** As the reply names it; null where it names none. */
  modelId: string | null;
  /** Whether it called the tool; null where none was offered. */
  calledTool: boolean | null;
  /** Null where no table of prices has the model. */
  usd: number | null;
}

/** Why it is of no use to begin. */
export interface NotAnswered {
  cause: OutageError['kind'];
  why: string;
}

/**
 * Asks a model one short question as its episodes will: with its key, temperature and limit of tokens, and with a tool where
 * they have some. A request that the provider does not take now, it takes in no episode.
 */
export async function preflight(
  model: Model,
  { withTools, price }: { withTools: boolean; price: Price | null },
  signal: AbortSignal,
): Promise<Answered | NotAnswered> {
  const tool = { name: READY, description: 'Says that you are ready.', schema: { type: 'object', properties: {} } };
  const question = {
    system: 'You are asked once before a benchmark begins.',
    messages: [{ from: 'user' as const, text: withTools ? `Call the tool ${READY}.` : 'Reply with the word ready.' }],
    tools: withTools ? [tool] : [],
  };
  try {
    const { parts, modelId, usage } = await model.ask(question, UNHEARD, signal);
    const calledTool = withTools ? parts.some((part) => part.kind === 'call' && part.call.tool === READY) : null;
    return { modelId, calledTool, usd: price === null ? null : costOf(usage, price) };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { cause: error.kind === 'outage' ? 'outage' : 'turned_away', why: error.message };
  }
}

const UNHEARD = { requested: () => {}, held: () => {}, retried: () => {}, replied: () => {} };
