import type { z } from 'zod';

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
