import type { BundleLayout } from '../src/bundle/layout.ts';
import type { Row } from '../src/bundle/row.ts';
import { drawReport } from '../src/cli/drawn-files.ts';
import { readCampaignFile } from '../src/plan/campaign-file.ts';
import { CountedRows } from '../src/report/counted-rows.ts';
import { FollowedBundle } from '../src/viewer/followed-bundle.ts';
import { countedRowsIn } from '../src/bundle/sealed-rows.ts';
import { startViewer } from '../src/viewer/viewer.ts';

/** A bundle that is served. */
interface Served {
  address: string;
  rows: readonly Row[];
}

/** Serves a bundle, finished or not, as `show --serve` does, while something looks at it. */
export async function withViewer(layout: BundleLayout, look: (served: Served) => Promise<void>): Promise<void> {
  const campaign = await readCampaignFile(layout);
  const followed = await FollowedBundle.open({
    layout,
    campaign,
    draw: (sealed) => drawReport(campaign, CountedRows.of(countedRowsIn(sealed)), null),
  });
  const viewer = await startViewer(followed, 0);
  try {
    await look({ address: viewer.address, rows: followed.sealed.map(({ row }) => row) });
  } finally {
    await viewer.close();
  }
}
