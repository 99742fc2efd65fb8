import { z } from 'zod';
import { type Answer, givenValue } from '../../contract/evidence.ts';
import { JsonObject, parsedOr } from '../../contract/json.ts';
import { parsePlainly, problemText } from '../../contract/validation/problem.ts';
import type { Brief } from '../../task/brief.ts';

/** Name and version of the protocol between us and a command; docs/agents.md describes it. */
export const PROTOCOL = 'touchstone-exec/1';

export function briefingLine({ id, goal, startUrl, caps, files }: Brief, cdpUrl: string): string {
  const briefing = {
    protocol: PROTOCOL,
    task: id,
    goal,
    start_url: startUrl,
    cdp_url: cdpUrl,
    caps: {
      max_steps: caps.steps,
      max_duration_ms: caps.wall_ms,
      max_turns: caps.turns,
      max_tokens: caps.tokens,
      max_usd: caps.cost_usd,
    },
    ...(files === undefined ? {} : { files }),
  };
  return `${JSON.stringify(briefing)}\n`;
}

/** Most tokens and USD of one model call. */
const MAX_TOKENS = 1e9;
const MAX_USD = 1e6;

const Count = z.int().min(0).max(MAX_TOKENS);

const Step = z.strictObject({
  type: z.literal('step'),
  tool: z.string().min(1).max(200),
  args: JsonObject.default({}),
  ok: z.boolean().default(true),
  text: z.string().default(''),
});

const ModelCall = z.strictObject({
  type: z.literal('usage'),
  input_tokens: Count,
  output_tokens: Count,
  cached_tokens: Count.nullable().default(null),
  cost_usd: z.number().min(0).max(MAX_USD).nullable().default(null),
  model: z.string().max(200).nullable().default(null),
});

const AnswerLine = z
  .strictObject({
    type: z.literal('answer'),
    value: givenValue().optional(),
    not_possible: z.literal(true).optional(),
  })
  .refine(
    ({ value, not_possible: notPossible }) => (value === undefined) !== (notPossible === undefined),
    'needs either a "value" or "not_possible": true',
  );
const Done = z.strictObject({ type: z.literal('done') });
const GiveUp = z.strictObject({ type: z.literal('give_up'), reason: z.string().max(4_000).default('') });

const Line = z.discriminatedUnion('type', [Step, ModelCall, AnswerLine, Done, GiveUp]);
export type Line = z.infer<typeof Line>;

export function answerOf({ value }: z.infer<typeof AnswerLine>): Answer {
  return value === undefined ? { not_possible: true } : { value };
}

/**
 * Reads a line of a command's standard output. A JSON object with a `type` is meant for us; null for anything else.
 * @param redact takes secrets out of it before it is cut
 * @throws Error when a line that is meant for us is malformed
 */
export function lineIn(text: string, redact: (text: string) => string): Line | null {
  if (!text.trimStart().startsWith('{')) return null;
  const value = parsedOr(text, null);
  if (typeof value !== 'object' || value === null || !('type' in value)) return null;
  const parsed = parsePlainly(Line, value);
  if (parsed.ok) return parsed.value;
  throw new Error(
    `its line ${redact(text).slice(0, 200)} is malformed: ${parsed.problems.map(problemText).join('; ')}`,
  );
}
