import { z } from 'zod';
import { JsonObject } from '../../contract/json.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { Move } from '../agent.ts';
import { Done, doneWith, inWords } from './closing.ts';

/** A whole plan: calls in their order, and how it ends. */
const Plan = z
  .strictObject({
    calls: z.array(z.strictObject({ tool: z.string(), args: JsonObject.default({}) })),
    done: Done.nullish(),
    give_up: z.string().nullish(),
  })
  .refine(({ done, give_up: reason }) => (done ?? null) === null || (reason ?? null) === null, 'ends in two ways');

/** The moves of the plan that a reply holds: one JSON object, alone or in one fenced block; else what is wrong with it. */
export function parsePlan(text: string): { moves: Move[] } | { wrong: string } {
  const fenced = fencedIn(text);
  if (fenced.length > 1) return { wrong: `it holds ${fenced.length} blocks` };
  let json: unknown;
  try {
    json = JSON.parse(fenced[0] ?? text);
  } catch (error) {
    return { wrong: messageOf(error) };
  }
  const parsed = Plan.safeParse(json);
  if (!parsed.success) return { wrong: inWords(parsed.error) };
  const { calls, done, give_up: reason } = parsed.data;
  const end: Move = (reason ?? null) === null ? doneWith(done ?? {}) : { kind: 'give_up', reason: reason ?? '' };
  return { moves: [...calls.map((call): Move => ({ kind: 'call', call })), end] };
}

/** Returns the texts of the fenced blocks of a reply. Line by line: a pattern over the whole would look for the end of each block to the end of the reply. */
function fencedIn(text: string): string[] {
  const blocks: string[] = [];
  let inside: string[] | null = null;
  for (const line of text.split('\n').map((each) => each.trimEnd())) {
    if (inside === null) {
      if (line === '```' || line === '```json') inside = [];
    } else if (line.endsWith('```')) {
      blocks.push([...inside, line.slice(0, -3)].join('\n'));
      inside = null;
    } else inside.push(line);
  }
  return blocks;
}
