import type { BundleLayout } from '../bundle/layout.ts';
import type { Ledger } from '../bundle/ledger.ts';
import { Purse } from '../episode/purse.ts';
import { recordedEvents } from '../row/recorded-events.ts';

/** Return the money of a campaign, less what its earlier runs have spent, voided attempts included; undefined where it has no cap. */
export async function purseOf(
  { maxUsd }: { maxUsd?: number | null },
  layout: BundleLayout,
  { before }: Ledger,
): Promise<Purse | undefined> {
  if (typeof maxUsd !== 'number') return undefined;
  const purse = new Purse(maxUsd);
  for (const record of before) {
    if (record.kind !== 'sealed' && record.kind !== 'voided') continue;
    for await (const { event } of recordedEvents(layout, record)) {
      if (event.type === 'turn_ended') purse.take(event.cost_usd ?? 0);
    }
  }
  return purse;
}
