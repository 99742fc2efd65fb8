import { z } from 'zod';
import { patternProblem } from './pattern.ts';
import { selectorProblem } from './dom/select.ts';
import { normaliseText } from './strings.ts';

/** Longest pattern that a contract may hold, in characters. */
const MAX_PATTERN_LENGTH = 512;

export const Pattern = z
  .string()
  .min(1, 'is empty: an empty pattern matches everything')
  .max(
    MAX_PATTERN_LENGTH,
    `is longer than ${MAX_PATTERN_LENGTH} characters; shorten it or use several assertions under "and"`,
  )
  .superRefine((source, context) => {
    const problem = patternProblem(source);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });

export const Selector = z
  .string()
  .min(1, 'is empty; leave it out to mean "body"')
  .superRefine((selector, context) => {
    const problem = selector === '' ? null : selectorProblem(selector);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });

export const Text = z
  .string()
  .min(1, 'is empty: empty text is found everywhere')
  .refine((text) => text === '' || normaliseText(text) !== '', 'is only white space: it is found everywhere');

/**
 * The tabs that an assertion is about: the one that was active last (the default), any open tab, or those whose URL all
 * `url` assertions beside it (under the same `and`) match. One tab that passes suffices.
 */
export const PageScope = z.enum(['last-active', 'any', 'match']);
export type PageScope = z.infer<typeof PageScope>;

/** Judged on the page that the judge loads anew, so that nothing painted into the open one counts. */
export const Fresh = z.literal(true).optional();

export const Operator = z.enum(['eq', 'gte', 'lte']);
export type Operator = z.infer<typeof Operator>;

export const Count = z.int().min(0);

export const Pointer = z
  .string()
  .regex(/^(\/([^~/]|~[01])*)*$/, 'is not a JSON pointer; write "" for the whole or "/items/0/name" (RFC 6901)');

export function holds(actual: number, op: Operator, wanted: number): boolean {
  if (op === 'eq') return actual === wanted;
  return op === 'gte' ? actual >= wanted : actual <= wanted;
}

/** By default zod looks at a whole node only when its fields are right, and so would hide one problem behind another. */
export const EVEN_IF_FIELDS_ARE_WRONG = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
};

export function exactlyOne(node: object, fields: readonly string[], context: z.RefinementCtx): void {
  const given = fields.filter((field) => has(node, field));
  if (given.length === 1) return;
  const found = given.length === 0 ? 'none is given' : `${given.join(' and ')} are given`;
  context.addIssue({ code: 'custom', message: `needs exactly one of ${fields.join(', ')}; ${found}` });
}

/** The page that was active last is the one that is loaded anew. */
export function refuseBesideFresh(node: object, context: z.RefinementCtx): void {
  if (!has(node, 'fresh') || !has(node, 'page')) return;
  context.addIssue({
    code: 'custom',
    path: ['page'],
    message: 'does not go with "fresh": that is about one page only',
  });
}

export function onlyWith(node: object, owner: string, fields: readonly string[], context: z.RefinementCtx): void {
  for (const field of fields) {
    if (has(node, field) && !has(node, owner)) {
      context.addIssue({ code: 'custom', path: [field], message: `goes with "${owner}" only` });
    }
  }
}

function has(node: object, field: string): boolean {
  return Reflect.get(node, field) !== undefined;
}
