import type { Problem } from '../contract/problem.ts';
import type { Task } from './schema.ts';

const CHANGING = /\b(today|tomorrow|yesterday|latest|current price|news|captcha|log ?in|sign ?in|payment|pay)\b/i;

/**
 * A hint for tasks on the web at large: whether a goal hangs on a login, a payment or the day cannot be told from its words
 * alone, but some words deserve a second look. Tasks in a local world may say what they like: nothing there changes by itself.
 */
export function publicRuleWarnings(task: Task, worldKind: string): Problem[] {
  const word = task.world === undefined && worldKind === 'local' ? undefined : CHANGING.exec(task.goal)?.[0];
  if (word === undefined) return [];
  const message = `says "${word}": a public task must not depend on login, payment, captcha, live prices, news or the date`;
  return [{ path: ['goal'], message }];
}
