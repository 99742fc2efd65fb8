import { BundleError, isMissing } from '../bundle/errors.ts';
import { bundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import { readSigner } from '../bundle/signature.ts';
import type { CampaignFile } from '../campaign/campaign-file.ts';
import type { Finding } from '../check/finding.ts';
import { type TakeRow, verifyRecords } from '../check/verify.ts';
import { UsageError } from './usage-error.ts';

/** What a bundle holds, and whether all is there. */
export interface VerifiedBundle {
  campaign: CampaignFile;
  /** Counted rows in plan order. */
  rows: Row[];
  complete: boolean;
}

/**
 * Reads a bundle that figures are to be drawn from, verifying its records first. One that was ended early may be read.
 * @throws UsageError naming the first record that is off.
 */
export async function verifiedBundle(bundle: string): Promise<VerifiedBundle> {
  const rows: Row[] = [];
  const verified = await verifiedRows(bundle, (row) => {
    rows.push(row);
  });
  return { ...verified, rows };
}

/** The same, handing on one counted row at a time: those of a large bundle need not fit into memory. */
export async function verifiedRows(bundle: string, take: TakeRow): Promise<Omit<VerifiedBundle, 'rows'>> {
  const { campaign, findings } = await verifiedRecords(bundle, take);
  const off = findings.find(({ kind }) => kind === 'broken');
  if (off !== undefined || campaign === null) {
    const where = off === undefined ? 'it cannot be read' : `${off.file}: ${off.problem}`;
    throw new UsageError(`${bundle} does not verify: ${where}`, `see "touchstone verify ${bundle}"`);
  }
  await refuseWrongSignature(bundle);
  return { campaign, complete: findings.length === 0 };
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
