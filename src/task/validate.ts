import { fact, messageFor } from '../messages/messages.ts';
import { nestingProblem } from '../contract/json.ts';
import { z } from 'zod';
import { canonicalJson } from '../contract/canonical.ts';
import type { Contract } from '../contract/schema.ts';
import { type Kinds, validateContract } from '../contract/validation/validate.ts';
import { parsePlainly, type Parsed, type Problem } from '../contract/validation/problem.ts';
import { isRecord } from '../contract/validation/record.ts';
import { addProblem, shown, type WrittenNames } from '../contract/validation/wording.ts';
import { givenProblems } from './given-files.ts';
import { capProblems, type SuiteCaps } from './caps.ts';
import { Task, type TaskInput } from './schema.ts';
import { formatPath } from './source/source.ts';
import { messageOf } from '../contract/message-of.ts';

export class TaskError extends Error {
  override readonly name = 'TaskError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.map(({ path, what }) => `\n  ${formatPath(path) || 'task'}: ${messageFor(what)}`);
    super(`the task is not valid:${lines.join('')}`);
    this.problems = problems;
  }
}

/** Checks a task written in TypeScript, and fills in defaults. */
export function defineTask(input: TaskInput): Task {
  const result = validateTask(input);
  if (result.ok) return result.value;
  throw new TaskError(result.problems);
}

/** Contracts are checked by their own validator, which bears hostile trees and hides nothing. */
const CHECKED = { seed: checkedTask('seed'), all: checkedTask('all') };

/**
 * Checks an untrusted task and reports all its problems at once.
 * @param kinds what its suite allows; the task can ask for less, not for more
 * @param caps of its suite
 * @param written names of fields in its file
 */
export function validateTask(
  input: unknown,
  { kinds = 'all', caps, written = {} }: { kinds?: Kinds; caps?: SuiteCaps | undefined; written?: WrittenNames } = {},
): Parsed<Task> {
  if (!isRecord(input)) return failed([{ path: [], what: fact('not_a_task', { given: shown(input) }) }]);
  const tooDeep = nestingProblems(input);
  if (tooDeep.length > 0) return failed(tooDeep);
  const parsed = parsePlainly(CHECKED[input['kinds'] === 'seed' ? 'seed' : kinds], input, [], written);
  if (!parsed.ok) return parsed;
  try {
    canonicalJson(parsed.value);
    const task: Task = caps === undefined ? parsed.value : { ...parsed.value, caps };
    const more = [...capProblems(task), ...milestoneProblems(task), ...givenProblems(task)];
    return more.length === 0 ? { ok: true, value: task } : failed(more);
  } catch (error) {
    return failed([{ path: [], what: fact('task_not_json', { error: messageOf(error) }) }]);
  }
}

/** A clause under `or` or `not` may pass on no way to success. */
function milestoneProblems({ success, milestones = [] }: Task): Problem[] {
  return milestones.flatMap(({ clause }, index): Problem[] => {
    const path = ['milestones', index, 'clause'];
    const isTwice = milestones.findIndex((other) => other.clause === clause) < index;
    if (isTwice) return [{ path, what: fact('listed_twice') }];
    const steps = [...clause.matchAll(/\d+/g)].map(([at]) => Number(at));
    const found = steps.reduce(
      (node: Contract | undefined, at) => (node?.kind === 'and' ? node.children[at] : undefined),
      success,
    );
    return found === undefined ? [{ path, what: fact('clause_not_under_and', { clause }) }] : [];
  });
}

/** Fields too deep for a schema, which recurses. */
function nestingProblems(input: Record<string, unknown>): Problem[] {
  return Object.entries(input).flatMap(([field, value]) => {
    const what = field === 'success' || field === 'guards' ? null : nestingProblem(value);
    return what === null ? [] : [{ path: [field], what }];
  });
}

function checkedTask(kinds: Kinds) {
  const contract = z.unknown().transform((input, context): Contract => {
    const result = validateContract(input, { kinds });
    if (result.ok) return result.contract;
    for (const { path, what } of result.problems) addProblem(what, context, path);
    return z.NEVER;
  });
  return Task.omit({ caps: true }).extend({ success: contract, guards: contract.optional() });
}

function failed(problems: Problem[]): Parsed<Task> {
  return { ok: false, problems };
}
