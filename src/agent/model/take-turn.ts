import type { Model, ModelReply, ModelQuestion } from '../../model/conversation.ts';
import { ModelError } from '../../model/error.ts';
import { costOf, mostOf, type Price } from '../../model/price.ts';
import type { Move } from '../agent.ts';
import { NO_REPLY, OutageError, type TurnEnd, type Turns, type TurnUsage } from '../turn.ts';
import { messageOf } from '../../contract/message-of.ts';

/** One call of a model, told as it happens: what was asked, what came, what it cost. */
export async function takeTurn(
  model: Model,
  question: ModelQuestion,
  { price, maxOutputTokens, turns }: { price: Price | null; maxOutputTokens: number; turns: Turns },
  signal: AbortSignal,
): Promise<ModelReply> {
  await turns.afford(() => (price === null ? 0 : mostOf(largest(question, maxOutputTokens), price)), signal);
  turns.begin();
  const end: TurnEnd = { ...NO_REPLY };
  try {
    const reply = await model.ask(
      question,
      {
        requested: (body) => {
          turns.asked(body);
        },
        held: (why) => {
          turns.held(why);
        },
        retried: ({ why, waitMs }) => {
          turns.retried(why, waitMs);
        },
        replied: (body, ms) => {
          end.reply = body;
          end.modelMs = ms;
        },
      },
      signal,
    );
    turns.end({ ...end, stopReason: reply.stopReason, modelId: reply.modelId, usage: usageOf(reply, price) });
    return reply;
  } catch (error) {
    turns.end({ ...end, problem: messageOf(error) });
    throw isOutage(error) ? new OutageError(error.kind, error.message) : error;
  }
}

/** The most tokens that a call can take: none is shorter than a byte. */
function largest(question: ModelQuestion, output: number): { input: number; output: number } {
  return { input: Buffer.byteLength(JSON.stringify(question)), output };
}

function isOutage(error: unknown): error is ModelError & { kind: OutageError['kind'] } {
  return error instanceof ModelError && (error.kind === 'outage' || error.kind === 'turned_away');
}

function usageOf({ usage }: ModelReply, price: Price | null): TurnUsage {
  const { input, cacheRead, cacheWrite, output } = usage;
  return {
    tokensIn: input + cacheRead + cacheWrite,
    tokensCached: cacheRead,
    tokensCacheWritten: cacheWrite,
    tokensOut: output,
    costUsd: price === null ? null : costOf(usage, price),
  };
}

/** A model that will not do it gives up. */
export function refusedMove({ stopReason, parts }: ModelReply): Move {
  return { kind: 'give_up', reason: `the model refused (${stopReason}): ${replyText(parts)}` };
}

/** All that a reply says in words. */
export function replyText(parts: ModelReply['parts']): string {
  return parts
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join(' ')
    .trim();
}
