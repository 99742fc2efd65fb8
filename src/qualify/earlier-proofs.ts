import path from 'node:path';
import { fact } from '../messages/messages.ts';
import { CampaignError } from '../plan/error.ts';
import {
  isOfTask,
  type Qualification,
  qualificationFile,
  readQualification,
  waiversOf,
  loadQualification,
} from '../plan/qualification.ts';
import type { TaskQualification } from '../plan/task-qualification.ts';
import { taskName } from '../task/instance.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import type { Task } from '../task/schema.ts';
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { messageOf } from '../contract/message-of.ts';
import { sha256Hex } from '../contract/canonical.ts';
import { type FileProblem, formatProblem } from '../task/source/source.ts';

export type Head = Omit<Qualification, 'tasks'>;

/** The settings of trials, recorded once for all proofs of a suite, each with its flag. */
const SETTINGS = [
  ['surface', '--surface'],
  ['seed', '--seed'],
  ['repetitions', '--repetitions'],
  ['perturbations', '--perturbations'],
] as const;

/** Whether the trials of two proofs had the same settings and world. */
export function hasSameSettings(one: Head, other: Head): boolean {
  return one.app_hash === other.app_hash && SETTINGS.every(([key]) => one[key] === other[key]);
}

/** Returns the part of a suite's proof that is about a task, current or stale. */
export function entryOf(proof: Qualification | null, name: string): TaskQualification | null {
  return (proof !== null && Object.hasOwn(proof.tasks, name) ? proof.tasks[name] : undefined) ?? null;
}

/** Whether a suite's proof is of a task as it is now; its world is not compared. */
export function isCurrent(proof: Qualification, task: Task, suite: LoadedSuite): boolean {
  const name = taskName(task);
  const found = entryOf(proof, name);
  return found !== null && isOfTask(found, task, waiversOf(suite, name));
}

/**
 * Reads the earlier proofs of the tasks of a suite that are not tried now. Stale ones stay, since they name stored trials.
 * @throws CampaignError `qualification_of_others` when current ones had other settings: one file cannot hold both
 */
export async function proofsToKeep(
  suite: LoadedSuite,
  head: Head,
  tried: readonly string[],
): Promise<Record<string, TaskQualification>> {
  const earlier = await readQualification(suite);
  if (earlier === null || earlier.app_hash !== head.app_hash) return {};
  const others = suite.tasks.map(({ task }) => task).filter((task) => !tried.includes(taskName(task)));
  if (hasSameSettings(earlier, head)) {
    const kept = others.flatMap((task) => {
      const found = entryOf(earlier, taskName(task));
      return found === null ? [] : [[taskName(task), found] as const];
    });
    return Object.fromEntries(kept);
  }
  const count = others.filter((task) => isCurrent(earlier, task, suite)).length;
  if (count === 0) return {};
  const flags = SETTINGS.flatMap(([key, flag]) => (earlier[key] === head[key] ? [] : [`${flag} ${earlier[key]}`])).join(
    ' ',
  );
  throw new CampaignError(fact('qualification_of_others', { file: qualificationFile(suite), count, flags }));
}

/** A proof that cannot be used, and the place to which it was moved. */
export interface RefusedProof {
  problems: FileProblem[];
  place: string;
}

/**
 * Moves a proof that cannot be used out of the way of a new one: another version may read it. Null if there is none to move.
 * @param folder for the bundles of trials; next to the suite the file would belong to its world
 * @throws CampaignError `qualification_not_moved` when it cannot be moved
 */
export async function setRefusedAside(
  suite: Pick<LoadedSuite, 'file' | 'id'>,
  folder: string,
): Promise<RefusedProof | null> {
  const read = await loadQualification(suite);
  if (read.ok) return null;
  const { problems } = read;
  const file = qualificationFile(suite);
  try {
    const place = path.join(
      folder,
      `refused-qualification-${suite.id}-${sha256Hex(await readFile(file)).slice(0, 12)}.json`,
    );
    await mkdir(folder, { recursive: true });
    await copyFile(file, place);
    await rm(file);
    return { problems, place };
  } catch (error) {
    const lines = [...problems.map((problem) => formatProblem(problem)), `it cannot be set aside: ${messageOf(error)}`];
    throw new CampaignError(fact('qualification_not_moved', { problems: lines }), error);
  }
}
