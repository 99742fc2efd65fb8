import { nestingProblem } from '../json.ts';
import { z } from 'zod';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import { Contract, SEED_FIELDS } from '../schema.ts';
import { eachMistakeOnce, type Parsed, parsePlainly, parseWhole, type Problem } from './problem.ts';
import { isRecord } from './record.ts';
import { contractTree, type Visit } from './tree.ts';
import { rule, shown } from './wording.ts';

/** `seed`: OpenChrome's kinds and fields only. */
export type Kinds = 'seed' | 'all';

export type ValidatedContract = { ok: true; contract: Contract } | { ok: false; problems: Problem[] };

/** The schema of one node alone: the nodes below it are visited themselves, so no problem hides another. */
const NODES = new Map<string, z.ZodObject>(Contract.options.map((option) => [option.shape.kind.value, alone(option)]));

/** Checks an untrusted contract and reports all its problems at once. */
export function validateContract(input: unknown, options: { kinds?: Kinds } = {}): ValidatedContract {
  const { visits, problems } = contractTree(input);
  const found = [...problems, ...visits.flatMap((visit) => nodeProblems(visit, options.kinds ?? 'all'))];
  if (found.length > 0) return { ok: false, problems: eachMistakeOnce(found) };
  const parsed = parsePlainly(Contract, input);
  return parsed.ok ? { ok: true, contract: parsed.value } : parsed;
}

function nodeProblems({ node, path, parent }: Visit, kinds: Kinds): Problem[] {
  const kind = node['kind'];
  const schema = typeof kind === 'string' ? NODES.get(kind) : undefined;
  if (schema === undefined) return [{ path: [...path, 'kind'], what: unknownKind(kind, kinds) }];
  const tooDeep = Object.entries(node).flatMap(([field, value]) => {
    const what = field === 'children' || field === 'child' ? null : nestingProblem(value);
    return what === null ? [] : [{ path: [...path, field], what }];
  });
  if (tooDeep.length > 0) return tooDeep;
  const parsed = parseWhole(schema, node, path);
  const wrong = [...(parsed.ok ? [] : parsed.problems), ...matchProblems({ node, path, parent })];
  return kinds === 'all' ? wrong : [...wrong, ...extensionProblems({ node, path, parent }, schema)];
}

/** `page: match` means the pages that sibling `url` assertions select, so there has to be one. */
function matchProblems({ node, path, parent }: Visit): Problem[] {
  if (node['page'] !== 'match' || node['kind'] === 'url') return [];
  const siblings: readonly unknown[] =
    parent?.['kind'] === 'and' && Array.isArray(parent['children']) ? parent['children'] : [];
  if (siblings.some((sibling) => isRecord(sibling) && sibling['kind'] === 'url')) return [];
  return [{ path: [...path, 'page'], what: fact('match_without_url') }];
}

function unknownKind(kind: unknown, kinds: Kinds): Fact {
  const known = { kinds: kindNames(kinds) };
  return kind === undefined ? fact('kind_missing', known) : fact('kind_unknown', { ...known, kind: shown(kind) });
}

function extensionProblems({ node, path }: Visit, schema: z.ZodObject): Problem[] {
  const allowed = SEED_FIELDS.get(String(node['kind']));
  if (allowed === undefined) {
    const what = fact('kind_is_extension', { kind: shown(node['kind']), kinds: kindNames('seed') });
    return [{ path: [...path, 'kind'], what }];
  }
  const what = fact('field_is_extension', { allowed: [...allowed] });
  return Object.keys(node)
    .filter((field) => field in schema.shape && node[field] !== undefined && !allowed.includes(field))
    .map((field) => ({ path: [...path, field], what }));
}

function kindNames(kinds: Kinds): string[] {
  return [...(kinds === 'seed' ? SEED_FIELDS : NODES).keys()];
}

function alone(option: (typeof Contract.options)[number]): z.ZodObject {
  const kind = option.shape.kind.value;
  if (kind === 'not') return option.extend({ child: z.unknown().optional() });
  if (kind !== 'and' && kind !== 'or') return option;
  return option.extend({ children: z.array(z.unknown()).min(1, rule('list_empty', { entry: 'assertion' })) });
}

/** A zod schema that delegates to our own validator: `Contract` and `Task` recurse as deep as their input. */
export function checkedBy<T>(validate: (input: unknown) => Parsed<T>) {
  return z.unknown().transform((input, context): T => {
    const result = validate(input);
    if (result.ok) return result.value;
    for (const { path, what } of result.problems) {
      context.addIssue({ code: 'custom', path, message: JSON.stringify(what), input });
    }
    return z.NEVER;
  });
}
