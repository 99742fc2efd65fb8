import type { z } from 'zod';
import type { Fact } from '../../messages/message.ts';
import { fact, messageFor } from '../../messages/messages.ts';
import { statedIn, type FoundProblem, problemsIn, type WrittenNames } from './wording.ts';

/** Field names and list indices from the root of a task or contract. */
export type Path = readonly (string | number)[];

/** A problem and its place. Its message reads on from the path: "success.pattern is missing; …". */
export interface Problem {
  path: (string | number)[];
  what: Fact;
  /** The first instance of the task with this problem; absent if the task lists none. */
  instance?: string;
}

export type Parsed<T, P extends Problem = Problem> = { ok: true; value: T } | { ok: false; problems: P[] };

export function problemText({ path, what }: Problem): string {
  return [path.join('.'), messageFor(what)].filter((part) => part !== '').join(' ');
}

/** Parses with a zod schema, and reports what is one mistake only once. */
export function parsePlainly<T extends z.ZodType>(
  schema: T,
  input: unknown,
  at: Path = [],
  written: WrittenNames = {},
): Parsed<z.output<T>> {
  const parsed = parseWhole(schema, input, at, written);
  return parsed.ok ? parsed : { ok: false, problems: eachMistakeOnce(parsed.problems, written) };
}

const MAX_PROBLEMS = 100;

/** The same, with a problem for each issue. */
export function parseWhole<T extends z.ZodType>(
  schema: T,
  input: unknown,
  at: Path = [],
  written: WrittenNames = {},
): Parsed<z.output<T>> {
  // Zod's issues carry one text, so it is a key.
  const found = new Map<string, FoundProblem[]>();
  const error = (issue: z.core.$ZodRawIssue): string => {
    const key = `problem ${found.size}`;
    found.set(key, problemsIn(issue, written));
    return key;
  };
  const result = schema.safeParse(input, { error });
  if (result.success) return { ok: true, value: result.data };
  const { issues } = result.error;
  const listed = issues.slice(0, MAX_PROBLEMS).flatMap((issue) => placed(issue, found.get(issue.message), at));
  const total = issues.reduce((sum, { message }) => sum + (found.get(message)?.length ?? 1), 0);
  const count = total - MAX_PROBLEMS;
  const more = count > 0 ? [{ path: [...at], what: fact('more_problems', { count }) }] : [];
  return { ok: false, problems: [...listed.slice(0, MAX_PROBLEMS), ...more] };
}

function placed(issue: z.core.$ZodIssue, found: FoundProblem[] | undefined, at: Path): Problem[] {
  const path = [...at, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];
  if (found === undefined) return [{ path, what: statedIn(issue.message) }];
  return found.map(({ key, fact: what }) => ({ path: key === null ? path : [...path, key], what }));
}

/** Leaves out what follows from another problem of the same node. */
export function eachMistakeOnce(problems: readonly Problem[], written: WrittenNames = {}): Problem[] {
  return withMisnamed(withoutMisspelt(problems), written);
}

/** A missing field with a misspelt or another name is one mistake, reported at that name. */
function withoutMisspelt(problems: readonly Problem[]): Problem[] {
  const otherwise = new Set(
    problems.flatMap(({ path, what: { code } }) =>
      code === 'field_by_other_name' ? [JSON.stringify(path.slice(0, -1))] : [],
    ),
  );
  const meant = new Set(
    problems.flatMap(({ path, what }) =>
      what.code === 'misspelt_field' ? [JSON.stringify([...path.slice(0, -1), what.params['meant']])] : [],
    ),
  );
  const ofMissing = new Map([
    ['field_missing', meant],
    ['needs_exactly_one', otherwise],
  ]);
  return problems.filter(({ path, what: { code } }) => ofMissing.get(code)?.has(JSON.stringify(path)) !== true);
}

/** One unknown field next to one missing field is one mistake, too: its author knows it by another name. */
function withMisnamed(problems: readonly Problem[], written: WrittenNames): Problem[] {
  const node = ({ path }: Problem): string => JSON.stringify(path.slice(0, -1));
  /** By node, its only problem with this code; null if there are several. */
  const onlyOf = (code: string): Map<string, Problem | null> => {
    const only = new Map<string, Problem | null>();
    for (const problem of problems.filter((each) => each.what.code === code)) {
      const at = node(problem);
      only.set(at, only.has(at) ? null : problem);
    }
    return only;
  };
  const [missing, unknown] = [onlyOf('field_missing'), onlyOf('unknown_field')];
  return problems.flatMap((problem) => {
    const [absent, other] = [missing.get(node(problem)) ?? null, unknown.get(node(problem)) ?? null];
    if (absent === null || other === null || (problem !== absent && problem !== other)) return [problem];
    if (problem === absent) return [];
    const field = String(absent.path.at(-1));
    const { type = '', choices = '' } = absent.what.params;
    return [{ ...problem, what: fact('misnamed_field', { meant: written[field] ?? field, type, choices }) }];
  });
}
