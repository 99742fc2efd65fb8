import type { z } from 'zod';
import { insteadOf, meantBy, plainMessage, saysMissing, saysUnlike, type WrittenNames } from './wording.ts';

/** Where in a task or contract: field names and list indices from the root. */
export type Path = readonly (string | number)[];

/** A problem: what is wrong, where, and what to do about it. The message reads on from the path: "success.pattern is missing; …". */
export interface Problem {
  path: (string | number)[];
  message: string;
}

/** A value, or all that keeps it from being one. */
export type Parsed<T, P extends Problem = Problem> = { ok: true; value: T } | { ok: false; problems: P[] };

/** Parses with a zod schema and reports every problem in plain words; messages that the schema gives itself are kept. */
export function parsePlainly<T extends z.ZodType>(
  schema: T,
  input: unknown,
  at: Path = [],
  written: WrittenNames = {},
): Parsed<z.output<T>> {
  const result = schema.safeParse(input, { error: (issue) => plainMessage(issue, written) });
  if (result.success) return { ok: true, value: result.data };
  const problems = eachOnce(result.error.issues.flatMap((issue) => problemsOf(issue, at)));
  return { ok: false, problems: besideTheMissing(problems, written) };
}

/** A field that is missing since its name was misspelt is one mistake, told where the misspelt name stands. */
function eachOnce(problems: readonly Problem[]): Problem[] {
  const meant = new Set(
    problems.flatMap(({ path, message }) => {
      const field = meantBy(message);
      return field === null ? [] : [JSON.stringify([...path.slice(0, -1), field])];
    }),
  );
  return problems.filter(({ path, message }) => !saysMissing(message) || !meant.has(JSON.stringify(path)));
}

/** One unknown field where one other is missing is one mistake, too: its author knows the field by another name. */
function besideTheMissing(problems: readonly Problem[], written: WrittenNames): Problem[] {
  const node = ({ path }: Problem): string => JSON.stringify(path.slice(0, -1));
  /** By node, the only one that says so; null where there are several. A stranger's own may be without number. */
  const onlyOf = (says: (message: string) => boolean): Map<string, Problem | null> => {
    const only = new Map<string, Problem | null>();
    for (const problem of problems.filter(({ message }) => says(message))) {
      const at = node(problem);
      only.set(at, only.has(at) ? null : problem);
    }
    return only;
  };
  const [missing, unlike] = [onlyOf(saysMissing), onlyOf(saysUnlike)];
  return problems.flatMap((problem) => {
    const [absent, other] = [missing.get(node(problem)) ?? null, unlike.get(node(problem)) ?? null];
    if (absent === null || other === null || (problem !== absent && problem !== other)) return [problem];
    if (problem === absent) return [];
    const field = String(absent.path.at(-1));
    return [{ ...problem, message: insteadOf(written[field] ?? field, absent.message) }];
  });
}

function problemsOf(issue: z.core.$ZodIssue, at: Path): Problem[] {
  const path = [...at, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  const lines = issue.message.split('\n');
  return issue.keys.map((key, index) => ({ path: [...path, key], message: lines[index] ?? issue.message }));
}
