import { z } from 'zod';
import { fact } from '../messages/messages.ts';
import { patternProblem } from './pattern.ts';
import { selectorProblem } from './dom/select.ts';
import { normaliseText } from './strings.ts';
import { addProblem, rule } from './validation/wording.ts';

const MAX_PATTERN_LENGTH = 512;

export const Pattern = z
  .string()
  .min(1, rule('pattern_empty'))
  .max(MAX_PATTERN_LENGTH, rule('pattern_too_long', { most: MAX_PATTERN_LENGTH }))
  .superRefine((source, context) => {
    addProblem(patternProblem(source), context);
  });

export const Selector = z
  .string()
  .min(1, rule('selector_empty'))
  .superRefine((selector, context) => {
    if (selector !== '') addProblem(selectorProblem(selector), context);
  });

export const Text = z
  .string()
  .min(1, rule('text_empty'))
  .refine((text) => text === '' || normaliseText(text) !== '', rule('text_blank'));

/**
 * The tabs of an assertion: the one that was active last (the default), any open tab, or those whose URL all `url` assertions
 * under the same `and` match. One tab that passes suffices.
 */
export const PageScope = z.enum(['last-active', 'any', 'match']);
export type PageScope = z.infer<typeof PageScope>;

/** Judged on the page that the judge loads again, so that nothing painted into the open one counts. */
export const Fresh = z.literal(true).optional();

export const Operator = z.enum(['eq', 'gte', 'lte']);
export type Operator = z.infer<typeof Operator>;

export const Count = z.int().min(0);

export const Pointer = z.string().regex(/^(\/([^~/]|~[01])*)*$/, rule('not_json_pointer'));

/** At least one, or as `count` states. */
export const Counted = z.strictObject({ op: Operator, value: Count }).optional();
export const AT_LEAST_ONE = { op: 'gte', value: 1 } as const;

/** Whether it holds when nothing was done, as at every start. */
export function holdsOfNone({ op, value }: NonNullable<z.infer<typeof Counted>>): boolean {
  return op === 'lte' || value === 0;
}

export function holds(actual: number, op: Operator, wanted: number): boolean {
  if (op === 'eq') return actual === wanted;
  return op === 'gte' ? actual >= wanted : actual <= wanted;
}

/** Whether a comparison depends on how many of those that may match or not do so. */
export function canChange(matched: number, open: number, op: Operator, value: number): boolean {
  if (op === 'eq') return open > 0 && matched <= value && value <= matched + open;
  return holds(matched, op, value) !== holds(matched + open, op, value);
}

/** By default zod checks a whole node only if its fields are right, and so would hide one problem behind another. */
export const EVEN_IF_FIELDS_ARE_WRONG = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
};

export function exactlyOne(node: object, fields: readonly string[], context: z.RefinementCtx): void {
  const given = fields.filter((field) => has(node, field));
  if (given.length === 1) return;
  addProblem(fact('needs_exactly_one', { fields: [...fields], count: given.length, given }), context);
}

export function refuseWithFresh(node: object, context: z.RefinementCtx): void {
  if (has(node, 'fresh') && has(node, 'page')) addProblem(fact('page_with_fresh'), context, ['page']);
}

export function onlyWith(
  node: object,
  owners: readonly string[],
  fields: readonly string[],
  context: z.RefinementCtx,
): void {
  const owner = owners.map((name) => `"${name}"`).join(' or ');
  for (const field of fields) {
    if (has(node, field) && !owners.some((name) => has(node, name)))
      addProblem(fact('goes_only_with', { owner }), context, [field]);
  }
}

export function has(node: object, field: string): boolean {
  return Reflect.get(node, field) !== undefined;
}
