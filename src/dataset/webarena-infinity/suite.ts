import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { Pointer } from '../../contract/fields.ts';
import type { TaskContracts } from '../../contract/judge-task.ts';
import { NearMiss, Solution } from '../../task/intent.ts';
import type { TaskInput } from '../../task/schema.ts';
import { readChecked } from '../../task/source/read-source.ts';
import { formatProblem } from '../../task/source/source.ts';
import { Waived } from '../../task/suite.ts';
import { PACKAGE_APPS } from '../../task/suite-paths.ts';

/** The time at which episodes begin: a day on which the right ends were made. */
const CLOCK = '2026-03-08T12:00:00Z';
const MAX_STEPS = 60;
const MAX_DURATION_MS = 300_000;

const Pointers = z.array(Pointer).default([]);

/** Our own work for the tasks of an app: steps that solve them, and the places that its page changes by itself. */
const Solved = z.strictObject({
  except: Pointers,
  drawn: Pointers,
  tasks: z.record(
    z.string(),
    z.strictObject({
      solutions: z.array(Solution).min(1),
      nearMisses: z.array(NearMiss).optional(),
      waivers: z.array(Waived).default([]),
    }),
  ),
});
export type Solved = z.infer<typeof Solved>;

/** Our solutions for an app; most have none. */
export async function solvedTasks(app: string): Promise<Solved> {
  const file = path.join(PACKAGE_APPS, `../overlays/webarena-infinity/${app}.yaml`);
  if (!existsSync(file)) return { except: [], drawn: [], tasks: {} };
  const read = await readChecked(file, Solved);
  if (read.ok) return read.value;
  throw new Error(read.problems.map(formatProblem).join('\n'));
}

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
