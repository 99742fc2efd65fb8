import { mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { GENESIS, type LedgerRecord } from '../../src/bundle/ledger-record.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { spentBefore } from '../../src/run/progress.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ID = 'a'.repeat(32);
const OF = { seq: 1, at: '2026-01-01T00:00:00.000Z', prev: GENESIS, episode_id: ID, attempt: 1 };
const VOIDED: LedgerRecord = { ...OF, kind: 'voided', why: 'the provider failed', interruption: 'outage' };

const STARTED: LedgerRecord = { ...OF, kind: 'started', run_id: 'r' };

/** The USD that were spent by an attempt in the bundle whose only reply cost this much, and that the ledger has these records of. */
async function spentOn(cost: number | null, records: readonly LedgerRecord[] = [STARTED, VOIDED]) {
  const layout = bundleLayout(await temporaryFolder());
  const { folder, events } = layout.attempt(ID, 1);
  await mkdir(folder, { recursive: true });
  const event = {
    type: 'turn_ended',
    turn: 1,
    reply: '',
    reply_blob: null,
    problem: null,
    stop_reason: null,
    model: null,
    model_ms: 1,
    tokens_in: 1,
    tokens_cached: 0,
    tokens_cache_written: 0,
    tokens_out: 1,
    cost_usd: cost,
  };
  await writeFile(events, `${JSON.stringify({ schema_version: 2, seq: 1, at_ms: 0, event })}\n`);
  return await spentBefore(layout, records);
}

describe('what earlier runs of a campaign have spent', () => {
  test('includes an attempt that was voided', async () => {
    expect(await spentOn(0.5)).toBe(0.5);
  });

  test('includes an attempt that was killed with its run, once', async () => {
    expect(await spentOn(0.5, [STARTED])).toBe(0.5);
    expect(await spentOn(0.5, [STARTED, { ...OF, kind: 'voided', why: 'the run was ended while it lasted' }])).toBe(
      0.5,
    );
  });

  test('does not include what nobody knows', async () => {
    expect(await spentOn(null)).toBe(0);
  });

  test('refuses a reply that is said to have cost less than nothing', async () => {
    await expect(spentOn(-1000)).rejects.toThrow('event.cost_usd');
  });

  test('is the allowance of an attempt that another process ran and did not bring back', async () => {
    const started: LedgerRecord = { ...STARTED, allowance_usd: 0.3 };
    const lost: LedgerRecord = { ...OF, kind: 'voided', why: 'its worker was lost' };
    expect(await spentOn(0.1, [started])).toBe(0.3);
    expect(await spentOn(0.1, [started, lost])).toBe(0.3);
    // Of what came back the cost is known.
    expect(await spentOn(0.1, [started, VOIDED])).toBe(0.1);
    expect(await spentOn(0.1, [started, { ...OF, kind: 'sealed', seal_hash: GENESIS }])).toBe(0.1);
  });
});
