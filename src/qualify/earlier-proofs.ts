import path from 'node:path';
import { fact } from '../messages/messages.ts';
import { CampaignError } from '../plan/error.ts';
import {
  isCurrent,
  type Qualification,
  qualificationFile,
  readQualification,
  loadQualification,
} from '../plan/qualification.ts';
import type { TaskQualification } from '../plan/task-qualification.ts';
import { taskName } from '../task/instance.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { messageOf } from '../contract/message-of.ts';
import { sha256Hex } from '../contract/canonical.ts';
import { type FileProblem, formatProblem } from '../task/source/source.ts';

export type Head = Omit<Qualification, 'tasks'>;

/** The settings of trials, recorded once for all proofs of a suite; their options have the same names. */
const SETTINGS = ['surface', 'seed', 'repetitions', 'perturbations'] as const;

/** Whether the trials of two proofs had the same settings and world. */
export function hasSameSettings(one: Head, other: Head): boolean {
  return one.app_hash === other.app_hash && SETTINGS.every((key) => one[key] === other[key]);
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
    // Listed and drawn instances of a task are never loaded together.
    const ids = new Set(suite.tasks.map(({ task }) => task.id));
    const kept = Object.entries(earlier.tasks).filter(([name]) => ids.has(name.replace(/@.*/, '')));
    return Object.fromEntries(kept.filter(([name]) => !tried.includes(name)));
  }
  const count = others.filter((task) => isCurrent(earlier, task, suite)).length;
  if (count === 0) return {};
  const flags = SETTINGS.filter((key) => earlier[key] !== head[key]).map((key) => `--${key} ${earlier[key]}`);
  throw new CampaignError(
    fact('qualification_of_others', { file: qualificationFile(suite), count, flags: flags.join(' ') }),
  );
}

/** A proof that cannot be used, and the place to which it was moved. */
export interface RefusedProof {
  problems: FileProblem[];
  place: string;
}

/**
 * Moves a proof that cannot be used out of the way of a new one: another version may read it. Null if nothing was moved.
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
    const bytes = await readFile(file);
    const place = path.join(folder, `refused-qualification-${suite.id}-${sha256Hex(bytes).slice(0, 12)}.json`);
    await mkdir(folder, { recursive: true });
    await writeFile(place, bytes);
    await rm(file);
    return { problems, place };
  } catch (error) {
    const lines = [...problems.map((problem) => formatProblem(problem)), `it cannot be set aside: ${messageOf(error)}`];
    throw new CampaignError(fact('qualification_not_moved', { problems: lines }), error);
  }
}
