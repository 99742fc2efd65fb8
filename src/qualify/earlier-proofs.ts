import { CampaignError } from '../plan/error.ts';
import {
  isOfTask,
  type Qualification,
  qualificationFile,
  readQualification,
  waiversOf,
} from '../plan/qualification.ts';
import type { TaskQualification } from '../plan/task-qualification.ts';
import { taskName } from '../task/instance.ts';
import type { LoadedSuite } from '../task/load-suite.ts';

type Head = Omit<Qualification, 'tasks'>;

/** How trials are made, which is said once for all proofs of a suite; with the flag that asks for it. */
const HOW = [
  ['surface', '--surface'],
  ['seed', '--seed'],
  ['repetitions', '--repetitions'],
  ['perturbations', '--perturbations'],
] as const;

/**
 * What an earlier proof says of the tasks that are as they were, without those that are tried now.
 * @throws CampaignError `bad_qualification` when their trials were made otherwise: one file cannot say both, and they would be lost.
 */
export async function proofsToKeep(
  suite: LoadedSuite,
  head: Head,
  tried: readonly string[],
): Promise<Record<string, TaskQualification>> {
  const earlier = await readQualification(suite);
  if (earlier === null || earlier.app_hash !== head.app_hash) return {};
  const current = suite.tasks.flatMap(({ task }) => {
    const name = taskName(task);
    const found = Object.hasOwn(earlier.tasks, name) ? earlier.tasks[name] : undefined;
    if (found === undefined || tried.includes(name)) return [];
    return isOfTask(found, task, waiversOf(suite, name)) ? [[name, found] as const] : [];
  });
  const others = HOW.filter(([key]) => earlier[key] !== head[key]);
  if (current.length > 0 && others.length > 0) {
    const flags = others.map(([key, flag]) => `${flag} ${earlier[key]}`).join(' ');
    throw new CampaignError(
      'bad_qualification',
      `${qualificationFile(suite)} holds current proofs of ${current.length} other ${current.length === 1 ? 'task' : 'tasks'}, made with ${flags}: these trials would take their place`,
      `add ${flags}, or try the whole suite, without --task`,
    );
  }
  return Object.fromEntries(current);
}
