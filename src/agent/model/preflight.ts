import { type Model, ModelError } from '../../model/conversation.ts';
import { costOf, type Price } from '../../model/prices.ts';
import type { OutageError } from '../turn.ts';

export const READY = 'touchstone_ready';

export interface PreflightReply {
  modelId: string | null;
  /** Null if no tool was offered. */
  calledTool: boolean | null;
  usd: number | null;
}

export interface PreflightFailure {
  cause: OutageError['kind'];
  why: string;
}

/**
 * Asks a model one short question with the key, temperature and limits of its episodes. A request that the provider rejects now, it would
 * reject in every episode.
 */
export async function preflight(
  model: Model,
  { withTools, price }: { withTools: boolean; price: Price | null },
  signal: AbortSignal,
): Promise<PreflightReply | PreflightFailure> {
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
