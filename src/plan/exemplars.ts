import { readFile } from 'node:fs/promises';
import type { LoadedSuite } from '../task/load-suite.ts';
import type { Task } from '../task/schema.ts';
import { classReferences } from '../task/screenshot-classes.ts';
import { CampaignError } from './error.ts';
import { messageOf } from '../contract/message-of.ts';

/**
 * Perceptual hashes of the exemplars of the screenshot classes that a task refers to, by class.
 * @throws CampaignError naming the exemplar that is no picture.
 */
export async function exemplarHashes({ exemplars }: LoadedSuite, task: Task): Promise<Record<string, string[]>> {
  const hashes: Record<string, string[]> = {};
  for (const { classId } of classReferences(task)) {
    hashes[classId] = await Promise.all((exemplars[classId] ?? []).map(hashOf));
  }
  return hashes;
}

async function hashOf(file: string): Promise<string> {
  try {
    const { perceptualHash } = await import('../contract/picture/perceptual-hash.ts');
    return perceptualHash(await readFile(file));
  } catch (error) {
    const why = messageOf(error);
    throw new CampaignError('bad_plan', `${file} is no exemplar: ${why}`, 'put a PNG in its place');
  }
}
