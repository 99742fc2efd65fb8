import { hashJson } from '../contract/canonical.ts';
import type { Task } from './schema.ts';

/** Names the whole task, defaults applied: two files that mean the same have the same hash. */
export function taskHash(task: Task): string {
  return hashJson(task);
}

/** Names how the task is judged, and nothing else of it. */
export function contractHash({ success, guards }: Task): string {
  return hashJson({ success, guards: guards ?? null });
}
