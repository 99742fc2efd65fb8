import path from 'node:path';
import { writeFileAtomically } from '../bundle/atomic-file.ts';
import { bundleLayout } from '../bundle/layout.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { CountedRows, type EpisodeLine, episodeLine } from '../report/counted-rows.ts';
import type { Report } from '../report/report.ts';
import { drawReport, reportFiles } from './drawn-files.ts';
import type { Terminal } from './terminal.ts';
import { findingLine, verifiedWithRows } from './bundles.ts';

/**
 * Draws the reports of a run's own bundle. It is verified first, since an agent outside a sandbox could have written in it.
 * @param listsAll whether the returned report lists all episodes
 */
export async function writeReports(
  folder: string,
  campaign: CampaignFile,
  { listsAll }: { listsAll: boolean },
  terminal: Terminal,
): Promise<Report> {
  const counted = new CountedRows();
  const episodes: EpisodeLine[] = [];
  const { findings, rows } = await verifiedWithRows(bundleLayout(folder), (row) => {
    counted.take(row);
    if (listsAll) episodes.push(episodeLine(row));
  });
  const off = [...findings, ...(rows === null ? [] : [rows])].find(({ kind }) => kind === 'broken');
  if (off !== undefined) terminal.note(`the bundle does not verify: ${findingLine(off)}`);
  const report = drawReport(campaign, counted, findings.length === 0);
  for (const { name, text } of reportFiles(report, bundleLayout(folder)))
    await writeFileAtomically(path.join(folder, name), await text());
  // The files follow from the records even if `rows.jsonl` does not, but such a bundle meets no gate.
  const shown = rows === null ? report : drawReport(campaign, counted, false);
  return listsAll && shown.episodes_not_listed !== undefined ? { ...shown, episodes, episodes_not_listed: 0 } : shown;
}
