import path from 'node:path';
import { writeFileAtomically } from '../bundle/atomic-file.ts';
import { bundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { CountedRows } from '../report/counted-rows.ts';
import { episodeLine } from '../report/episode-line.ts';
import { printable } from '../report/printable.ts';
import type { Report } from '../report/report.ts';
import { drawReport, reportFiles } from './drawn-files.ts';
import type { Terminal } from './terminal.ts';
import { verifiedRecords } from './verified-bundle.ts';

/** A run takes its own bundle at no better word than a stranger's: an agent outside a sandbox could have written in it. */
export async function writeReports(
  folder: string,
  campaign: CampaignFile,
  rows: readonly Row[],
  terminal: Terminal,
): Promise<Report> {
  const counted = new CountedRows();
  const { campaign: read, findings } = await verifiedRecords(bundleLayout(folder), (row) => {
    counted.take(row);
  });
  const off = findings.find(({ kind }) => kind === 'broken');
  if (off !== undefined) terminal.note(printable(`the bundle does not verify: ${off.file}: ${off.problem}`));
  // As they are on disk: whoever draws them again has no others.
  const report = drawReport(campaign, read === null ? CountedRows.of(rows) : counted, findings.length === 0);
  for (const { name, text } of await reportFiles(report, bundleLayout(folder)))
    await writeFileAtomically(path.join(folder, name), text);
  // Whoever asks for all episodes gets all, whatever the files list.
  return report.episodes_not_listed === undefined
    ? report
    : { ...report, episodes: rows.map(episodeLine), episodes_not_listed: 0 };
}
