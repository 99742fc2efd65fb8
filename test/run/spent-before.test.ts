import { mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { GENESIS, type LedgerRecord } from '../../src/bundle/ledger-record.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { budgetOf } from '../../src/run/spent-before.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ID = 'a'.repeat(32);
const OF = { seq: 1, at: '2026-01-01T00:00:00.000Z', prev: GENESIS, episode_id: ID, attempt: 1 };
const VOIDED: LedgerRecord = { ...OF, kind: 'voided', why: 'the provider failed', interruption: 'outage' };

/** The budget of 1 USD after an earlier attempt in the bundle whose only reply cost this much, in USD. */
async function budgetAfter(cost: number | null, record: LedgerRecord = VOIDED) {
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
  return await budgetOf({ maxUsd: 1 }, layout, { before: [record] });
}

describe('the money of a campaign that is resumed', () => {
  test('is less what an attempt has cost that was voided', async () => {
    expect(await budgetAfter(0.5)).toEqual({ cap: 1, spent: 0.5 });
  });

  test('is not less what nobody knows', async () => {
    expect(await budgetAfter(null)).toEqual({ cap: 1, spent: 0 });
  });

  test('is never more than its cap, by a reply that is said to have cost less than nothing', async () => {
    await expect(budgetAfter(-1000)).rejects.toThrow('event.cost_usd');
  });
});
