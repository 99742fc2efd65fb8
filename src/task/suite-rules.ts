import type { Problem } from '../contract/validation/problem.ts';
import { authProblems } from './auth.ts';
import { credentialProblems } from './credentials.ts';
import { taskName } from './instance.ts';
import type { PlacedTask } from './load-task.ts';
import type { Task } from './schema.ts';
import { isLocal, type Suite } from './suite.ts';

/** The origins that the tasks of a suite are known to be on. */
export function originsOf({ world }: Suite, tasks: readonly PlacedTask[]): string[] {
  if (world.kind === 'local') return world.sites.map(({ origin }) => origin);
  return tasks.flatMap(({ task }) => (task.startUrl === 'about:blank' ? [] : [new URL(task.startUrl).origin]));
}

/** Check a task among the suite's other tasks, in their world. */
export function suiteRuleProblems(placed: PlacedTask, earlier: readonly PlacedTask[], suite: Suite): Problem[] {
  return [
    ...duplicateId(placed, earlier),
    ...unreachableStart(placed, suite),
    ...credentialProblems(placed.task, suite.credentials),
    ...authProblems(placed.task, suite.roles),
  ];
}

/** Waivers of tasks that the suite has not. */
export function waiverProblems(tasks: readonly PlacedTask[], { waivers }: Suite): Problem[] {
  const names = new Set(tasks.map(({ task }) => taskName(task)));
  return waivers.flatMap(({ task }, index) =>
    names.has(task) ? [] : [{ path: ['waivers', index, 'task'], message: `"${task}" is no task of the suite` }],
  );
}

function duplicateId({ task }: PlacedTask, earlier: readonly PlacedTask[]): Problem[] {
  const twin = earlier.find((other) => taskName(other.task) === taskName(task));
  if (twin === undefined) return [];
  return [
    { path: ['id'], message: `"${taskName(task)}" is the id of a task in ${twin.file} too; give each task its own` },
  ];
}

function unreachableStart({ task }: PlacedTask, { world }: Suite): Problem[] {
  // The files of a suite do not tell what an archive holds; "touchstone validate" looks into it.
  if (task.startUrl === 'about:blank' || world.kind === 'archive') return [];
  const origins = world.sites.map((site) => site.origin);
  if (origins.includes(new URL(task.startUrl).origin)) return [];
  return [{ path: ['startUrl'], message: `is on no site of the suite's world; start on ${origins.join(' or ')}` }];
}

const CHANGING = /\b(today|tomorrow|yesterday|latest|current price|news|captcha|log ?in|sign ?in|payment|pay)\b/i;

/**
 * A hint for tasks on public sites: whether a goal hangs on a login, a payment or the day cannot be told from its words
 * alone, but some words deserve a second look. Tasks on an app of ours may say what they like: nothing there changes by
 * itself. A task that starts on a blank page is public when the suite has public sites.
 */
export function publicRuleWarnings(task: Task, origins: readonly string[]): Problem[] {
  const startsOn = task.startUrl === 'about:blank' ? origins : [new URL(task.startUrl).origin];
  const word = startsOn.every(isLocal) ? undefined : CHANGING.exec(task.goal)?.[0];
  if (word === undefined) return [];
  const message = `says "${word}": a public task must not depend on login, payment, captcha, live prices, news or the date`;
  return [{ path: ['goal'], message }];
}
