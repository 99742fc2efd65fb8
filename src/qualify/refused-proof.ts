import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../contract/message-of.ts';
import { sha256Hex } from '../contract/canonical.ts';
import { CampaignError } from '../plan/error.ts';
import { loadQualification, qualificationFile } from '../plan/qualification.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { type FileProblem, formatProblem } from '../task/source/source.ts';

/** A proof that nothing takes, and the place to which it was moved. */
export interface RefusedProof {
  problems: FileProblem[];
  place: string;
}

/**
 * Moves a proof that cannot be used out of the way of a new one: another version may read it, and it may be of tasks that are
 * not tried now. Null where there is none, or one that can be used.
 * @param folder for what is left of trials; beside the suite the file would be one of its world
 * @throws CampaignError `bad_qualification` where it cannot be moved.
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
    throw new CampaignError(
      'bad_qualification',
      lines.join('\n'),
      'move it away, and then run "touchstone qualify" again',
    );
  }
}
