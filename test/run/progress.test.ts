import { writeFile, readFile, mkdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { openLedger } from '../../src/bundle/ledger.ts';
import { readSealedRows } from '../../src/bundle/sealed-rows.ts';
import { Progress, writeRows, spentBefore } from '../../src/run/progress.ts';
import { bundleOfRows, rowOf } from '../bundle/bundle-of-rows.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { plannedEpisode } from '../plan/sample-plan.ts';
import { GENESIS, type LedgerRecord } from '../../src/bundle/ledger-record.ts';
import { TURN_ENDED } from '../episode/sample-events.ts';

const EPISODES = [plannedEpisode(0), plannedEpisode(1)];

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

  test('distinguishes infrastructure errors from killed attempts, over any number of resumes', async () => {
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

  test('ignores episodes that the plan does not have', async () => {
    const progress = await progressAfter([rowOf(7), { killed: rowOf(8) }]);
    expect(progress).toMatchObject({ done: 0, killed: [] });
  });

  test('grows with finished episodes', async () => {
    const progress = await progressAfter([]);
    progress.finish({ row: rowOf(1), sealHash: 'a'.repeat(64) });
    expect(progress.done).toBe(1);
    expect(progress.sealsInOrder(EPISODES)).toEqual(['a'.repeat(64)]);
  });

  test('cannot rest on an invalid row', async () => {
    const folder = await temporaryFolder();
    await progressAfter([rowOf(0)], folder);
    await writeFile(bundleLayout(folder).attempt(rowOf(0).episode_id, 1).row, '{}');
    await expect(progressAfter([], folder)).rejects.toMatchObject({ name: 'BundleError', code: 'other_shape' });
  });
});

test('rows.jsonl has the counted rows of finished episodes, one a line, in plan order', async () => {
  const episodes = [plannedEpisode(0), plannedEpisode(1), plannedEpisode(2)];
  const layout = await bundleOfRows(await temporaryFolder(), [rowOf(2), rowOf(0, 1, false), rowOf(0, 2)]);
  const ledger = await openLedger(layout.ledger);
  await ledger.close();
  const earlier: Row[] = [];
  const progress = await Progress.read(ledger, layout, episodes, (row) => earlier.push(row));
  expect(earlier).toEqual([rowOf(2), rowOf(0, 2)]);
  await writeRows(layout, progress.rowsInOrder(layout, episodes));
  const lines = (await readFile(layout.rows, 'utf8')).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => JSON.parse(line))).toEqual([rowOf(0, 2), rowOf(2)]);
});

const ID = 'a'.repeat(32);
const OF = { seq: 1, at: '2026-01-01T00:00:00.000Z', prev: GENESIS, episode_id: ID, attempt: 1 };
const VOIDED: LedgerRecord = { ...OF, kind: 'voided', why: 'the provider failed', interruption: 'outage' };

const STARTED: LedgerRecord = { ...OF, kind: 'started', run_id: 'r' };

/** The USD that were spent by an attempt in the bundle whose only reply cost this much, and that the ledger has these records of. */
async function spentOn(cost: number | null, records: readonly LedgerRecord[] = [STARTED, VOIDED]) {
  const layout = bundleLayout(await temporaryFolder());
  const { folder, events } = layout.attempt(ID, 1);
  await mkdir(folder, { recursive: true });
  const event = { ...TURN_ENDED, cost_usd: cost };
  await writeFile(events, `${JSON.stringify({ schema_version: 2, seq: 1, at_ms: 0, event })}\n`);
  return await spentBefore(layout, records);
}

describe('the spending of earlier runs of a campaign', () => {
  test('includes a voided attempt', async () => {
    expect(await spentOn(0.5)).toBe(0.5);
  });

  test('includes an attempt that was killed with its run, once', async () => {
    expect(await spentOn(0.5, [STARTED])).toBe(0.5);
    expect(await spentOn(0.5, [STARTED, { ...OF, kind: 'voided', why: 'the run was ended while it lasted' }])).toBe(
      0.5,
    );
  });

  test('leaves out unknown costs', async () => {
    expect(await spentOn(null)).toBe(0);
  });

  test('refuses a reply with a negative cost', async () => {
    await expect(spentOn(-1000)).rejects.toThrow('event.cost_usd');
  });

  test('includes the allowance of an attempt that another process ran and did not return', async () => {
    const started: LedgerRecord = { ...STARTED, allowance_usd: 0.3 };
    const lost: LedgerRecord = { ...OF, kind: 'voided', why: 'its worker was lost' };
    expect(await spentOn(0.1, [started])).toBe(0.3);
    expect(await spentOn(0.1, [started, lost])).toBe(0.3);
    // Of what came back the cost is known.
    expect(await spentOn(0.1, [started, VOIDED])).toBe(0.1);
    expect(await spentOn(0.1, [started, { ...OF, kind: 'sealed', seal_hash: GENESIS }])).toBe(0.1);
  });
});
