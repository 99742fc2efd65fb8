import { z } from 'zod';
import { canonicalJson } from '../contract/canonical.ts';
import { nestingProblem } from '../contract/nesting.ts';
import { parsePlainly, type Problem } from '../contract/problem.ts';
import { isRecord } from '../contract/record.ts';
import { validateContract, type Kinds } from '../contract/validate.ts';
import { shown } from '../contract/wording.ts';
import { Task } from './schema.ts';

export type ValidatedTask = { ok: true; task: Task } | { ok: false; problems: Problem[] };

/** A task whose contracts are looked at apart: their own validator stands hostile trees and hides nothing. */
const AroundContracts = Task.extend({ success: z.unknown().optional(), guards: z.unknown().optional() });

/** Checks a task of unknown origin and reports everything that is wrong with it at once. */
export function validateTask(input: unknown, options: { kinds?: Kinds } = {}): ValidatedTask {
  if (!isRecord(input)) return failed([{ path: [], message: `must be a task (a map of fields), not ${shown(input)}` }]);
  const problems = [
    ...fieldProblems(input),
    ...contractProblems('success', input['success'], options),
    ...(input['guards'] === undefined ? [] : contractProblems('guards', input['guards'], options)),
  ];
  return problems.length > 0 ? failed(problems) : asJson(input);
}

function fieldProblems(input: Record<string, unknown>): Problem[] {
  const tooDeep = Object.entries(input).flatMap(([field, value]) => {
    const message = field === 'success' || field === 'guards' ? null : nestingProblem(value);
    return message === null ? [] : [{ path: [field], message }];
  });
  if (tooDeep.length > 0) return tooDeep;
  const parsed = parsePlainly(AroundContracts, input);
  return parsed.ok ? [] : parsed.problems;
}

function contractProblems(field: string, input: unknown, options: { kinds?: Kinds }): Problem[] {
  const result = validateContract(input, options);
  return result.ok ? [] : result.problems.map(({ path, message }) => ({ path: [field, ...path], message }));
}

/** The task with its defaults, free of `undefined`: what is hashed, judged and written is JSON. */
function asJson(input: unknown): ValidatedTask {
  const parsed = parsePlainly(Task, input);
  if (!parsed.ok) return parsed;
  const task = Task.parse(JSON.parse(JSON.stringify(parsed.value)));
  try {
    canonicalJson(task);
    return { ok: true, task };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed([{ path: [], message: `cannot be written as JSON: ${reason}; use whole Unicode characters` }]);
  }
}

function failed(problems: Problem[]): ValidatedTask {
  return { ok: false, problems };
}
