import { z } from 'zod';
import {
  type OfferedTool,
  type Model,
  type ModelReply,
  type ModelQuestion,
  ModelError,
  ModelDrift,
} from '../../model/conversation.ts';
import type { Move } from '../agent.ts';
import type { Prompt } from '../prompt.ts';
import { costOf, mostOf, type Price } from '../../model/prices.ts';
import { NO_REPLY, OutageError, type TurnEnd, type Turns, type TurnUsage } from '../turn.ts';
import { givenValue } from '../../contract/evidence.ts';
import { messageOf } from '../../contract/message-of.ts';

export function closingTools(prompt: Prompt): OfferedTool[] {
  return [
    {
      name: 'done',
      description: prompt.done,
      schema: {
        type: 'object',
        properties: { answer: { type: ['string', 'number'] }, not_possible: { type: 'boolean' } },
        additionalProperties: false,
      },
    },
    {
      name: 'give_up',
      description: prompt.give_up,
      schema: {
        type: 'object',
        properties: { reason: { type: 'string' } },
        required: ['reason'],
        additionalProperties: false,
      },
    },
  ];
}

export const Done = z.strictObject({
  answer: givenValue().nullish(),
  not_possible: z.boolean().nullish(),
});
const GiveUp = z.strictObject({ reason: z.string() });

/** The move for a call to a closing tool, or what is wrong with its arguments; null for any other tool. */
export function closingMove(tool: string, args: unknown): Move | { wrong: string } | null {
  if (tool === 'done') {
    const parsed = Done.safeParse(args);
    return parsed.success ? doneWith(parsed.data) : wrong(parsed.error);
  }
  if (tool === 'give_up') {
    const parsed = GiveUp.safeParse(args);
    return parsed.success ? { kind: 'give_up', reason: parsed.data.reason } : wrong(parsed.error);
  }
  return null;
}

export function doneWith({ answer, not_possible: notPossible }: z.infer<typeof Done>): Move {
  if (notPossible === true) return { kind: 'done', answer: { not_possible: true } };
  return { kind: 'done', answer: answer === null || answer === undefined ? null : { value: answer } };
}

function wrong(error: z.ZodError): { wrong: string } {
  return { wrong: inWords(error) };
}

export function inWords(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; ');
}

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

/** The most tokens that a call can take: a token has at least one byte. */
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

/** @throws the error, unless a request differs from the record */
export function driftMove(error: unknown): Move {
  if (!(error instanceof ModelDrift)) throw error;
  return { kind: 'drift', of: 'model', expected: error.expected, actual: error.actual };
}

export function refusedMove({ stopReason, parts }: ModelReply): Move {
  return { kind: 'give_up', reason: `the model refused (${stopReason}): ${replyText(parts)}` };
}

export function replyText(parts: ModelReply['parts']): string {
  return parts
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join(' ')
    .trim();
}
