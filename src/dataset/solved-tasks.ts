import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { Pointer } from '../contract/fields.ts';
import { NearMiss, Solution } from '../task/intent.ts';
import { readChecked } from '../task/source/read-source.ts';
import { formatProblem } from '../task/source/source.ts';
import { Waived } from '../task/suite.ts';
import { PACKAGE_APPS } from '../task/suite-paths.ts';

const Pointers = z.array(Pointer).default([]);

/** Our own work for the tasks of a data set or an app of it: steps that solve them, and the places that its page changes by itself. */
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

/** Our solutions in a file of `overlays`; most apps have none. */
export async function solvedTasks(name: string): Promise<Solved> {
  const file = path.join(PACKAGE_APPS, `../overlays/${name}.yaml`);
  if (!existsSync(file)) return { except: [], drawn: [], tasks: {} };
  const read = await readChecked(file, Solved);
  if (read.ok) return read.value;
  throw new Error(read.problems.map(formatProblem).join('\n'));
}
