import { fact } from '../messages/messages.ts';
import type { Contract } from '../contract/schema.ts';
import type { Problem } from '../contract/validation/problem.ts';
import { unknownRoles, type Intent } from './intent.ts';
import { authProblems, credentialProblems } from './auth.ts';
import { taskName } from './instance.ts';
import type { PlacedTask } from './load-task.ts';
import type { Task } from './schema.ts';
import { isLocal, type Suite } from './suite.ts';

export function originsOf({ world }: Suite, tasks: readonly PlacedTask[]): string[] {
  if (world.kind === 'local') return world.sites.map(({ origin }) => origin);
  return tasks.flatMap(({ task }) => (task.startUrl === 'about:blank' ? [] : [new URL(task.startUrl).origin]));
}

export function suiteRuleProblems(placed: PlacedTask, earlier: readonly PlacedTask[], suite: Suite): Problem[] {
  return [
    ...duplicateId(placed, earlier),
    ...unreachableStart(placed, suite),
    ...credentialProblems(placed.task, suite.credentials),
    ...authProblems(placed.task, suite.roles),
    ...statelessProblems(placed.task, suite),
    ...stepsIn(placed.task).flatMap(({ steps, path }) => unknownRoles(steps, path)),
  ];
}

function stepsIn({ solutions = [], nearMisses = [] }: Task): { steps: readonly Intent[]; path: Problem['path'] }[] {
  return [
    ...solutions.map(({ steps }, index) => ({ steps, path: ['solutions', index, 'steps'] })),
    ...nearMisses.map(({ steps }, index) => ({ steps, path: ['nearMisses', index, 'steps'] })),
  ];
}

export function waiverProblems(tasks: readonly PlacedTask[], { waivers }: Suite): Problem[] {
  const names = new Set(tasks.map(({ task }) => taskName(task)));
  return waivers.flatMap(({ task }, index) =>
    names.has(task) ? [] : [{ path: ['waivers', index, 'task'], what: fact('waiver_without_task', { task }) }],
  );
}

function duplicateId({ task }: PlacedTask, earlier: readonly PlacedTask[]): Problem[] {
  const twin = earlier.find((other) => taskName(other.task) === taskName(task));
  if (twin === undefined) return [];
  return [{ path: ['id'], what: fact('id_of_another_task', { task: taskName(task), file: twin.file }) }];
}

function unreachableStart({ task }: PlacedTask, { world }: Suite): Problem[] {
  // Suite files do not show what an archive holds; `touchstone validate` looks into it.
  if (task.startUrl === 'about:blank' || world.kind === 'archive') return [];
  const origins = world.sites.map((site) => site.origin);
  if (origins.includes(new URL(task.startUrl).origin)) return [];
  return [{ path: ['startUrl'], what: fact('start_outside_world', { origins }) }];
}

const OF_STATE = new Set<Contract['kind']>(['app_state', 'unchanged']);

/** Assertions on app state in a world without any, which would never be judged. */
function statelessProblems({ success, guards }: Task, { world }: Suite): Problem[] {
  const reportsState =
    world.kind === 'local' && world.sites.some(({ app, program }) => app !== undefined || program?.state !== undefined);
  if (reportsState) return [];
  return [...nodesIn(success, ['success']), ...(guards === undefined ? [] : nodesIn(guards, ['guards']))].flatMap(
    ({ node: { kind }, path }) => (OF_STATE.has(kind) ? [{ path, what: fact('state_never_known', { kind }) }] : []),
  );
}

function nodesIn(node: Contract, path: Problem['path']): { node: Contract; path: Problem['path'] }[] {
  const below =
    node.kind === 'not'
      ? nodesIn(node.child, [...path, 'child'])
      : 'children' in node
        ? node.children.flatMap((child, index) => nodesIn(child, [...path, 'children', index]))
        : [];
  return [{ node, path }, ...below];
}

/** A warning for placeholders in a task without instances, which its author may mean literally. */
export function placeholderWarnings({ instance, ...task }: Task): Problem[] {
  if (instance !== undefined) return [];
  return placedStrings(task, []).flatMap(({ text, path }) => {
    const found = /\{\{\s*[A-Za-z]\w*\s*\}\}/.exec(text)?.[0];
    return found === undefined ? [] : [{ path, what: fact('placeholder_kept', { placeholder: found }) }];
  });
}

function placedStrings(value: unknown, path: Problem['path']): { text: string; path: Problem['path'] }[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (typeof value !== 'object' || value === null) return [];
  const at = (key: string) => (Array.isArray(value) ? Number(key) : key);
  return Object.entries(value).flatMap(([key, each]) => placedStrings(each, [...path, at(key)]));
}

const CHANGING = /\b(today|tomorrow|yesterday|latest|current price|news|captcha|log ?in|sign ?in|payment|pay)\b/i;

/**
 * A warning for tasks on public sites whose goal has words of logins, payments or the day. Our own apps do not change by
 * themselves. A task that starts on a blank page is public if the suite has public sites.
 */
export function publicRuleWarnings(task: Task, origins: readonly string[]): Problem[] {
  const startsOn = task.startUrl === 'about:blank' ? origins : [new URL(task.startUrl).origin];
  const word = startsOn.every(isLocal) ? undefined : CHANGING.exec(task.goal)?.[0];
  return word === undefined ? [] : [{ path: ['goal'], what: fact('goal_may_change', { word }) }];
}
