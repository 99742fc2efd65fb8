import { z } from 'zod';
import { Json } from './json.ts';
import { patternProblem } from './pattern.ts';
import { selectorProblem } from './dom/select.ts';
import { normaliseText } from './text.ts';

/** Longest pattern that a contract may hold, in characters. */
export const MAX_PATTERN_LENGTH = 512;

const Pattern = z
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

const Selector = z
  .string()
  .min(1, 'is empty; leave it out to mean "body"')
  .superRefine((selector, context) => {
    const problem = selector === '' ? null : selectorProblem(selector);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });

const Text = z
  .string()
  .min(1, 'is empty: empty text is found everywhere')
  .refine((text) => text === '' || normaliseText(text) !== '', 'is only white space: it is found everywhere');
const PageScope = z.enum(['last-active', 'any', 'match']);
/** Judged on the page that the judge loads anew, so that nothing painted into the open one counts. */
const Fresh = z.literal(true).optional();
const Comparison = z.enum(['eq', 'gte', 'lte']);
const Count = z.int().min(0);
const Pointer = z
  .string()
  .regex(/^(\/([^~/]|~[01])*)*$/, 'is not a JSON pointer; write "" for the whole or "/items/0/name" (RFC 6901)');

/** By default zod looks at a whole node only when its fields are right, and so would hide one problem behind another. */
export const EVEN_IF_FIELDS_ARE_WRONG = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
};

const Url = z.strictObject({
  kind: z.literal('url'),
  pattern: Pattern,
  page: z
    .enum(['last-active', 'any'], {
      error: ({ input }) =>
        input === 'match' ? 'is "match", but a "url" selects pages by its own pattern; write "any"' : undefined,
    })
    .optional(),
});

const DomText = z
  .strictObject({
    kind: z.literal('dom_text'),
    selector: Selector.optional(),
    contains: Text.optional(),
    equals: Text.optional(),
    matches: Pattern.optional(),
    page: PageScope.optional(),
    fresh: Fresh,
  })
  .superRefine((node, context) => {
    exactlyOne(node, ['contains', 'equals', 'matches'], context);
    refuseBesideFresh(node, context);
  }, EVEN_IF_FIELDS_ARE_WRONG);

const DomCount = z
  .strictObject({
    kind: z.literal('dom_count'),
    selector: Selector,
    op: Comparison,
    value: Count,
    page: PageScope.optional(),
    fresh: Fresh,
  })
  .superRefine(refuseBesideFresh, EVEN_IF_FIELDS_ARE_WRONG);

const Network = z.strictObject({
  kind: z.literal('network'),
  url_pattern: Pattern,
  status_in: z.array(z.int().min(100).max(599)).min(1, 'is empty; list at least one status, for example [200]'),
  since: z.enum(['contract_enter', 'last_tool_call']),
  method: z
    .string()
    .regex(/^[A-Z]+$/, 'is not an HTTP method in capitals, for example "POST"')
    .optional(),
  count: z.strictObject({ op: Comparison, value: Count }).optional(),
  body_matches: Pattern.optional(),
});

const ScreenshotClass = z.strictObject({
  kind: z.literal('screenshot_class'),
  class_id: z
    .string()
    .regex(/^[A-Za-z0-9._-]+$/, 'may hold letters, digits, ".", "_" and "-" only')
    .refine((id) => id !== '.' && id !== '..', 'names no class'),
  distance_max: z.int().min(0).max(64),
});

const NoDialog = z.strictObject({ kind: z.literal('no_dialog') });

const AnswerKind = z
  .strictObject({
    kind: z.literal('answer'),
    one_of: z.array(Text).min(1).optional(),
    ignore_case: z.boolean().optional(),
    number: z.number().optional(),
    tolerance: z.number().min(0).optional(),
    unit: Text.optional(),
    date: z.iso.date('is not a date; write YYYY-MM-DD').optional(),
    not_possible: z.literal(true).optional(),
  })
  .superRefine((node, context) => {
    exactlyOne(node, ['one_of', 'number', 'date', 'not_possible'], context);
    onlyWith(node, 'number', ['tolerance', 'unit'], context);
    onlyWith(node, 'one_of', ['ignore_case'], context);
  }, EVEN_IF_FIELDS_ARE_WRONG);

const AppState = z
  .strictObject({
    kind: z.literal('app_state'),
    pointer: Pointer,
    equals: Json.optional(),
    matches: Pattern.optional(),
    absent: z.literal(true).optional(),
  })
  .superRefine((node, context) => {
    exactlyOne(node, ['equals', 'matches', 'absent'], context);
  }, EVEN_IF_FIELDS_ARE_WRONG);

const Unchanged = z.strictObject({
  kind: z.literal('unchanged'),
  /** Paths that may change; a segment `*` stands for any one segment. */
  except: z
    .array(
      Pointer.refine(
        (pointer) => pointer !== '',
        'excepts the whole state, so nothing is guarded; name what may change',
      ),
    )
    .optional(),
});

const And = z.strictObject({
  kind: z.literal('and'),
  get children() {
    return z.array(Contract).min(1, 'is empty; list at least one assertion');
  },
});

const Or = z.strictObject({
  kind: z.literal('or'),
  get children() {
    return z.array(Contract).min(1, 'is empty; list at least one assertion');
  },
});

const Not = z.strictObject({
  kind: z.literal('not'),
  get child() {
    return Contract;
  },
});

/**
 * A contract: a tree of assertions over captured evidence.
 * The kinds of {@link SEED_KINDS} take OpenChrome's fields unchanged; fields beyond those are optional extensions.
 * The schema recurses as deep as its input does, so what a stranger wrote is parsed by `validateContract`.
 */
export const Contract = z.discriminatedUnion('kind', [
  Url,
  DomText,
  DomCount,
  Network,
  ScreenshotClass,
  NoDialog,
  AnswerKind,
  AppState,
  Unchanged,
  And,
  Or,
  Not,
]);
export type Contract = z.infer<typeof Contract>;

/** The node of one kind. */
export type ContractNode<K extends Contract['kind']> = Extract<Contract, { kind: K }>;

/** The kinds that OpenChrome's contracts know; a suite that says `kinds: seed` may use no others. */
export const SEED_KINDS = [
  'url',
  'dom_text',
  'dom_count',
  'network',
  'screenshot_class',
  'no_dialog',
  'and',
  'or',
  'not',
] as const;

function exactlyOne(node: object, fields: readonly string[], context: z.RefinementCtx): void {
  const given = fields.filter((field) => has(node, field));
  if (given.length === 1) return;
  const found = given.length === 0 ? 'none is given' : `${given.join(' and ')} are given`;
  context.addIssue({ code: 'custom', message: `needs exactly one of ${fields.join(', ')}; ${found}` });
}

/** The page that was active last is the one that is loaded anew. */
function refuseBesideFresh(node: object, context: z.RefinementCtx): void {
  if (!has(node, 'fresh') || !has(node, 'page')) return;
  context.addIssue({
    code: 'custom',
    path: ['page'],
    message: 'does not go with "fresh": that is about one page only',
  });
}

function onlyWith(node: object, owner: string, fields: readonly string[], context: z.RefinementCtx): void {
  for (const field of fields) {
    if (has(node, field) && !has(node, owner)) {
      context.addIssue({ code: 'custom', path: [field], message: `goes with "${owner}" only` });
    }
  }
}

function has(node: object, field: string): boolean {
  return Reflect.get(node, field) !== undefined;
}

/** Whether a part of a contract is judged on a page that is loaded anew. */
export function asksForFresh(contract: Contract): boolean {
  const { kind } = contract;
  if (kind === 'and' || kind === 'or') return contract.children.some(asksForFresh);
  if (kind === 'not') return asksForFresh(contract.child);
  return (kind === 'dom_text' || kind === 'dom_count') && contract.fresh === true;
}
