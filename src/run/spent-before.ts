import type { BundleLayout } from '../bundle/layout.ts';
import { isMissing } from '../bundle/errors.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import type { Ledger } from '../bundle/ledger.ts';
import { MoneyBudget } from '../episode/budget.ts';
import type { RecordedEvent } from '../episode/events.ts';
import { recordedEvents } from '../row/recorded.ts';

/** The money of a campaign's episodes together, less what earlier runs of it have spent; undefined without a cap. */
export async function budgetOf(
  { maxUsd }: { maxUsd?: number | null },
  layout: BundleLayout,
  { before }: Pick<Ledger, 'before'>,
): Promise<MoneyBudget | undefined> {
  // Reading what is spent takes its time.
  return typeof maxUsd === 'number' ? new MoneyBudget(maxUsd, await spentBefore(layout, before)) : undefined;
}

/** The USD that attempts have cost, voided and killed ones included. Of one that another process ran, and did not bring back, it is the allowance. */
export async function spentBefore(layout: BundleLayout, before: readonly LedgerRecord[]): Promise<number> {
  const ends = new Map(before.flatMap((each) => (isEnd(each) ? [[nameOf(each), each] as const] : [])));
  let spent = 0;
  for (const record of before) {
    if (record.kind !== 'started') continue;
    const end = ends.get(nameOf(record));
    const isBack = end?.kind === 'sealed' || end?.interruption !== undefined;
    if (!isBack && record.allowance_usd !== undefined) {
      spent += record.allowance_usd;
      continue;
    }
    for await (const { event } of eventsOf(layout, record, end)) {
      if (event.type === 'turn_ended') spent += event.cost_usd ?? 0;
    }
  }
  return spent;
}

type End = Extract<LedgerRecord, { kind: 'sealed' | 'voided' }>;

function isEnd(record: LedgerRecord): record is End {
  return record.kind === 'sealed' || record.kind === 'voided';
}

function nameOf({ episode_id: id, attempt }: Pick<End, 'episode_id' | 'attempt'>): string {
  return `${id}/${attempt}`;
}

/** An attempt that was killed as it began has none. */
async function* eventsOf(
  layout: BundleLayout,
  attempt: Pick<End, 'episode_id' | 'attempt'>,
  end: End | undefined,
): AsyncGenerator<RecordedEvent> {
  try {
    yield* recordedEvents(layout, attempt);
  } catch (error) {
    if (end?.kind === 'sealed' || !isMissing(error)) throw error;
  }
}
