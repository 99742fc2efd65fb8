import type { BundleLayout } from '../bundle/layout.ts';
import { isMissing } from '../bundle/errors.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import type { Ledger } from '../bundle/ledger.ts';
import type { RecordedEvent } from '../episode/events.ts';
import { Purse } from '../episode/purse.ts';
import { recordedEvents } from '../row/recorded-events.ts';

/** Return the money of a campaign, less what its earlier runs have spent, voided attempts included; undefined where it has no cap. */
export async function purseOf(
  { maxUsd }: { maxUsd?: number | null },
  layout: BundleLayout,
  { before }: Pick<Ledger, 'before'>,
): Promise<Purse | undefined> {
  if (typeof maxUsd !== 'number') return undefined;
  const purse = new Purse(maxUsd);
  for (const record of before) {
    if (record.kind !== 'sealed' && record.kind !== 'voided') continue;
    for await (const { event } of eventsOf(layout, record)) {
      if (event.type === 'turn_ended') purse.take(event.cost_usd ?? 0);
    }
  }
  return purse;
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
