import type { Problem } from '../contract/problem.ts';
import type { Task } from './schema.ts';
import { isLocal } from './suite.ts';

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
