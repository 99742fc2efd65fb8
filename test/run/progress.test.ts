import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { openLedger } from '../../src/bundle/ledger.ts';
import { readSealedRows } from '../../src/bundle/sealed-rows.ts';
import { Progress } from '../../src/run/progress.ts';
import { bundleOfRows, rowOf } from '../bundle/bundle-of-rows.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { plannedEpisode } from '../plan/sample-plan.ts';

const EPISODES = [plannedEpisode(0), plannedEpisode(1)];

/** The progress that a resume finds after these attempts. */
async function progressAfter(attempts: readonly (Row | { killed: Row })[], folder?: string): Promise<Progress> {
  const layout = await bundleOfRows(folder ?? (await temporaryFolder()), attempts);
  const ledger = await openLedger(layout.ledger);
  await ledger.close();
  return Progress.read(ledger, layout, EPISODES);
}

async function rowsInOrder(progress: Progress, folder: string, episodes = EPISODES): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of progress.rowsInOrder(bundleLayout(folder), episodes)) rows.push(row);
  return rows;
}

const facts = (progress: Progress) =>
  EPISODES.map((each) => {
    const { started, infraErrors } = progress.earlierOf(each);
    return [progress.isDone(each), started, infraErrors];
  });

describe('progress', () => {
  test('is nothing before anything has run', async () => {
    const progress = await progressAfter([]);
    expect(facts(progress)).toEqual([
      [false, 0, 0],
      [false, 0, 0],
    ]);
    expect(progress).toMatchObject({ done: 0, killed: [] });
  });

  test('is an episode with its row and seal once an attempt counts', async () => {
    const folder = await temporaryFolder();
    const progress = await progressAfter([rowOf(0)], folder);
    const [sealed] = await readSealedRows(bundleLayout(folder));
    expect(facts(progress)).toEqual([
      [true, 1, 0],
      [false, 0, 0],
    ]);
    expect(progress.done).toBe(1);
    expect(await rowsInOrder(progress, folder)).toEqual([rowOf(0)]);
    expect(progress.sealsInOrder(EPISODES)).toEqual([sealed?.sealHash]);
  });

  test('tells infrastructure errors from attempts that were killed, over any number of resumes', async () => {
    const folder = await temporaryFolder();
    await progressAfter([{ killed: rowOf(0, 1) }, rowOf(0, 2, false)], folder);
    const progress = await progressAfter([{ killed: rowOf(0, 3) }, rowOf(0, 4, false)], folder);
    expect(facts(progress)[0]).toEqual([false, 4, 2]);
    expect(progress.killed).toMatchObject([{ attempt: 1 }, { attempt: 3 }]);
  });

  test('counts no infrastructure error for the attempt that counts', async () => {
    const progress = await progressAfter([rowOf(1, 1, false), rowOf(1, 2)]);
    expect(facts(progress)[1]).toEqual([true, 2, 1]);
  });

  test('names a killed attempt until the ledger voids it', async () => {
    const folder = await temporaryFolder();
    expect((await progressAfter([rowOf(0), { killed: rowOf(1) }], folder)).killed).toEqual([
      expect.objectContaining({ episode_id: rowOf(1).episode_id, attempt: 1 }),
    ]);
    const ledger = await openLedger(bundleLayout(folder).ledger);
    await ledger.append({ kind: 'voided', episode_id: rowOf(1).episode_id, attempt: 1, why: 'it was killed' });
    await ledger.close();
    const after = await progressAfter([], folder);
    expect(after.killed).toEqual([]);
    expect(facts(after)[1]).toEqual([false, 1, 0]);
  });

  test('is in plan order, whatever the order of the ledger', async () => {
    const folder = await temporaryFolder();
    const progress = await progressAfter([rowOf(1), rowOf(0)], folder);
    expect(await rowsInOrder(progress, folder)).toEqual([rowOf(0), rowOf(1)]);
    expect(await rowsInOrder(progress, folder, EPISODES.toReversed())).toEqual([rowOf(1), rowOf(0)]);
  });

  test('takes no notice of episodes that the plan does not have', async () => {
    const progress = await progressAfter([rowOf(7), { killed: rowOf(8) }]);
    expect(progress).toMatchObject({ done: 0, killed: [] });
  });

  test('grows by what is finished', async () => {
    const progress = await progressAfter([]);
    progress.finish({ row: rowOf(1), sealHash: 'a'.repeat(64) });
    expect(progress.done).toBe(1);
    expect(progress.sealsInOrder(EPISODES)).toEqual(['a'.repeat(64)]);
  });

  test('cannot rest on a row that is none', async () => {
    const folder = await temporaryFolder();
    await progressAfter([rowOf(0)], folder);
    await writeFile(bundleLayout(folder).attempt(rowOf(0).episode_id, 1).row, '{}');
    await expect(progressAfter([], folder)).rejects.toMatchObject({ name: 'BundleError', code: 'other_shape' });
  });
});
