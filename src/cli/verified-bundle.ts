import { BundleError, isMissing } from '../bundle/errors.ts';
import { bundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import { readSigner } from '../bundle/signature.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { derivedFindings } from '../verify/derived-files.ts';
import type { Finding } from '../verify/finding.ts';
import { RowsFile } from '../verify/rows-file.ts';
import { type TakeRow, verifyRecords } from '../verify/verify.ts';
import { CountedRows } from '../report/counted-rows.ts';
import { drawReport, reportFiles } from './drawn-files.ts';
import { UsageError } from './usage-error.ts';

/** What a bundle holds, and whether all is there. */
export interface VerifiedBundle {
  campaign: CampaignFile;
  /** Counted rows in plan order. */
  rows: Row[];
  complete: boolean;
}

/**
 * Reads a bundle that figures are to be drawn from, verifying its records and what is derived from them first: whoever is shown
 * the figures opens the reports as well. One that was ended early may be read.
 * @throws UsageError naming the first record or report that is off.
 */
export async function verifiedBundle(bundle: string): Promise<VerifiedBundle> {
  const rows: Row[] = [];
  const { campaign, findings } = await verifiedFiles(bundle, (row) => {
    rows.push(row);
  });
  const held = refuseBroken(bundle, campaign, findings);
  await refuseWrongSignature(bundle);
  return { ...held, rows };
}

/** Reads a whole bundle and everything that is off about it: its records, `rows.jsonl`, and its reports, drawn again. */
export async function verifiedFiles(
  bundle: string,
  take: TakeRow,
): Promise<{ campaign: CampaignFile | null; findings: Finding[] }> {
  const layout = bundleLayout(bundle);
  const counted = new CountedRows();
  const rowsFile = new RowsFile(layout);
  const { campaign, findings } = await verifiedRecords(bundle, async (row) => {
    counted.take(row);
    await take(row);
    await rowsFile.take(row);
  });
  if (campaign === null) return { campaign, findings };
  const [rows, drawn] = [await rowsFile.end(), drawReport(campaign, counted, findings.length === 0)];
  if (rows !== null) findings.push(rows);
  for await (const finding of derivedFindings(layout, reportFiles(drawn))) findings.push(finding);
  return { campaign, findings };
}

/**
 * Its records alone, for whoever draws what is derived from them again, one counted row at a time: those of a large bundle need
 * not fit into memory.
 * @throws UsageError naming the first record that is off.
 */
export async function verifiedRows(bundle: string, take: TakeRow): Promise<Omit<VerifiedBundle, 'rows'>> {
  const { campaign, findings } = await verifiedRecords(bundle, take);
  const held = refuseBroken(bundle, campaign, findings);
  await refuseWrongSignature(bundle);
  return held;
}

function refuseBroken(
  bundle: string,
  campaign: CampaignFile | null,
  findings: readonly Finding[],
): Omit<VerifiedBundle, 'rows'> {
  const off = findings.find(({ kind }) => kind === 'broken');
  if (off === undefined && campaign !== null) return { campaign, complete: findings.length === 0 };
  const where = off === undefined ? 'it cannot be read' : `${off.file}: ${off.problem}`;
  const isReport = off?.file.startsWith('report.') === true;
  const again = isReport ? `; where only reports differ, "touchstone report ${bundle}" draws them again` : '';
  throw new UsageError(`${bundle} does not verify: ${where}`, `see "touchstone verify ${bundle}"${again}`);
}

/** None is no fault; one of other bytes is. */
async function refuseWrongSignature(bundle: string): Promise<void> {
  try {
    await readSigner(bundleLayout(bundle));
  } catch (error) {
    if (isMissing(error)) return;
    if (!(error instanceof BundleError)) throw error;
    throw new UsageError(
      `${bundle} does not verify: ${error.message}`,
      'see "touchstone verify"; to sign it anew, take signature.json away',
    );
  }
}

/** Reads a bundle and everything that is off about its records; the campaign is null when it could not be read on. */
export async function verifiedRecords(
  bundle: string,
  take: TakeRow,
): Promise<{ campaign: CampaignFile | null; findings: Finding[] }> {
  const findings: Finding[] = [];
  const verifying = verifyRecords(bundleLayout(bundle), take);
  for (;;) {
    const step = await verifying.next();
    if (step.done === true) return { campaign: step.value, findings };
    findings.push(step.value);
  }
}
