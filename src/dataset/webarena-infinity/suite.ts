import type { TaskContracts } from '../../contract/judge-task.ts';
import type { TaskInput } from '../../task/schema.ts';
import type { Solved } from '../solved-tasks.ts';

/** The time at which episodes begin: a day on which the right ends were made. */
const CLOCK = '2026-03-08T12:00:00Z';
const MAX_STEPS = 60;
const MAX_DURATION_MS = 300_000;

interface DraftedTask {
  /** Its id in its app. */
  id: string;
  goal: string;
  startUrl: string;
  contracts: TaskContracts;
  solved: Solved['tasks'][string] | undefined;
}

export function infinityTask({ id, goal, startUrl, contracts, solved }: DraftedTask): Omit<TaskInput, 'instance'> {
  const { solutions, nearMisses } = solved ?? {};
  return {
    id,
    title: id,
    startUrl,
    goal,
    maxSteps: MAX_STEPS,
    maxDurationMs: MAX_DURATION_MS,
    tags: solved === undefined ? ['draft'] : [],
    setup: { clock: CLOCK },
    ...contracts,
    ...(solutions === undefined ? {} : { solutions }),
    ...(nearMisses === undefined ? {} : { nearMisses }),
  };
}

/** The suite file of an app, with the places of app and data as it is to name them. */
export function infinitySuite(
  { name, origin, waivers }: { name: string; origin: string; waivers: object[] },
  { app, folder, sha256 }: { app: string; folder: string; sha256: string },
): object {
  return {
    id: name,
    title: `WebArena-Infinity: ${name}`,
    description: 'Drafts from the seed and the right ends of WebArena-Infinity, whose apps were made by machine.',
    tasks: ['tasks/*.json'],
    world: { kind: 'local', sites: [{ origin, app, data: { folder, sha256 } }] },
    waivers,
  };
}
