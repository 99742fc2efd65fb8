import type { z } from 'zod';
import type { Fact } from '../../messages/message.ts';
import { fact, messageFor } from '../../messages/messages.ts';
import { type FoundProblem, problemsIn, type WrittenNames } from './wording.ts';

/** Where in a task or contract: field names and list indices from the root. */
export type Path = readonly (string | number)[];

/** A problem: what is wrong, where, and what to do about it. The message reads on from the path: "success.pattern is missing; …". */
export interface Problem {
  path: (string | number)[];
  message: string;
}

/** A value, or all that keeps it from being one. */
export type Parsed<T, P extends Problem = Problem> = { ok: true; value: T } | { ok: false; problems: P[] };

/** Parses with a zod schema and words every problem; messages that the schema gives itself are kept. */
export function parsePlainly<T extends z.ZodType>(
  schema: T,
  input: unknown,
  at: Path = [],
  written: WrittenNames = {},
): Parsed<z.output<T>> {
  const parsed = parseToFacts(schema, input, at, written);
  return parsed.ok ? parsed : { ok: false, problems: wordedProblems(parsed.problems, written) };
}

/** Most problems that are listed; a hostile file may have any number. */
const MAX_PROBLEMS = 100;

/** The same, with problems that are not worded yet. */
export function parseToFacts<T extends z.ZodType>(
  schema: T,
  input: unknown,
  at: Path = [],
  written: WrittenNames = {},
): { ok: true; value: z.output<T> } | { ok: false; problems: PlacedFact[] } {
  // Zod's issues carry one text, so it is the key of what was found.
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

/** A problem at its place, before it is worded; a text if the schema words it. */
export interface PlacedFact {
  path: (string | number)[];
  what: Fact | string;
}

function placed(issue: z.core.$ZodIssue, found: FoundProblem[] | undefined, at: Path): PlacedFact[] {
  const path = [...at, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];
  if (found === undefined) return [{ path, what: issue.message }];
  return found.map(({ key, fact: what }) => ({ path: key === null ? path : [...path, key], what }));
}

/** Words problems, and reports what is one mistake only once. */
export function wordedProblems(problems: readonly PlacedFact[], written: WrittenNames = {}): Problem[] {
  return withMisnamed(eachOnce(problems), written).map(({ path, what }) => ({ path, message: messageFor(what) }));
}

function codeOf({ what }: PlacedFact): string | null {
  return typeof what === 'string' ? null : what.code;
}

/** A field that is missing because its name was misspelt is one mistake, reported at the misspelt name. */
function eachOnce(problems: readonly PlacedFact[]): PlacedFact[] {
  const meant = new Set(
    problems.flatMap(({ path, what }) =>
      typeof what !== 'string' && what.code === 'misspelt_field'
        ? [JSON.stringify([...path.slice(0, -1), what.params['meant']])]
        : [],
    ),
  );
  return problems.filter((each) => codeOf(each) !== 'field_missing' || !meant.has(JSON.stringify(each.path)));
}

/** One unknown field where one other is missing is one mistake, too: its author knows the field by another name. */
function withMisnamed(problems: readonly PlacedFact[], written: WrittenNames): PlacedFact[] {
  const node = ({ path }: PlacedFact): string => JSON.stringify(path.slice(0, -1));
  /** By node, its only problem with this code; null if there are several. A hostile file may have any number. */
  const onlyOf = (code: string): Map<string, PlacedFact | null> => {
    const only = new Map<string, PlacedFact | null>();
    for (const problem of problems.filter((each) => codeOf(each) === code)) {
      const at = node(problem);
      only.set(at, only.has(at) ? null : problem);
    }
    return only;
  };
  const [missing, unknown] = [onlyOf('field_missing'), onlyOf('unknown_field')];
  return problems.flatMap((problem) => {
    const [absent, other] = [missing.get(node(problem)) ?? null, unknown.get(node(problem)) ?? null];
    if (absent === null || other === null || (problem !== absent && problem !== other)) return [problem];
    if (problem === absent || typeof absent.what === 'string') return [];
    const field = String(absent.path.at(-1));
    const { type = '', choices = '' } = absent.what.params;
    return [{ ...problem, what: fact('misnamed_field', { meant: written[field] ?? field, type, choices }) }];
  });
}
