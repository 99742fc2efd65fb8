import { z } from 'zod';
import type { OfferedTool } from '../../model/conversation.ts';
import type { Move } from '../agent.ts';
import type { Prompt } from '../prompt/prompt.ts';

/** The two tools that no surface has: they end the episode. */
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
  answer: z.union([z.string(), z.number()], 'must be text or a number').nullish(),
  not_possible: z.boolean().nullish(),
});
const GiveUp = z.strictObject({ reason: z.string() });

/** The move that a call to one of them makes, or what is wrong with its arguments; null for any other tool. */
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

/** Say what is wrong with what a model has written, for the model. */
export function inWords(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; ');
}
