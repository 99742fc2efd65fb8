/** The owner of exchanges off the routes of all tasks. */
export const OFF_ROUTE = 'beside the tasks';

/**
 * Names the owner of what one route of a task has met. The first solution has the task's own name; no task has an
 * id with a space, so the others cannot be taken for another task.
 * @param route for example `near-miss 2`; null for the first solution
 */
export function routeName(task: string, route: string | null): string {
  return route === null ? task : `${task} (${route})`;
}

export function taskOfRoute(page: string): string {
  return page.replace(/ \(.*\)$/, '');
}
