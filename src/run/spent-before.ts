import type { BundleLayout } from '../bundle/layout.ts';
import { isMissing } from '../bundle/errors.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import type { Ledger } from '../bundle/ledger.ts';
import type { RecordedEvent } from '../episode/events.ts';
import { recordedEvents } from '../row/recorded-events.ts';

/** Return the cap in USD of a campaign's episodes together (null: none), and what earlier runs of it have spent, voided attempts included. */
export async function budgetOf(
  { maxUsd }: { maxUsd?: number | null },
  layout: BundleLayout,
  { before }: Pick<Ledger, 'before'>,
): Promise<Budget> {
  // Nobody asks what is spent where there is no cap, and reading it takes its time.
  if (typeof maxUsd !== 'number') return { cap: null, spent: 0 };
  let spent = 0;
  for (const record of before) {
    if (record.kind !== 'sealed' && record.kind !== 'voided') continue;
    for await (const { event } of eventsOf(layout, record)) {
      if (event.type === 'turn_ended') spent += event.cost_usd ?? 0;
    }
  }
  return { cap: maxUsd, spent };
}

/** The cap of a campaign in USD, and what was spent before. */
export interface Budget {
  /** Null: none. */
  cap: number | null;
  spent: number;
}

/** Nothing is known of a voided attempt that nobody got to write down: it was killed as it began, or lost with another machine. */
async function* eventsOf(
  layout: BundleLayout,
  record: Extract<LedgerRecord, { kind: 'sealed' | 'voided' }>,
): AsyncGenerator<RecordedEvent> {
  try {
    yield* recordedEvents(layout, record);
  } catch (error) {
    if (record.kind === 'sealed' || !isMissing(error)) throw error;
  }
}
