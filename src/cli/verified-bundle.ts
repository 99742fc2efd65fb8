import { bundleLayout } from '../bundle/layout.ts';
import type { Finding } from '../check/finding.ts';
import { type Verified, verifyRecords } from '../check/verify.ts';
import { UsageError } from './usage-error.ts';

/** What a bundle holds, and whether all is there. */
export interface VerifiedBundle extends Verified {
  complete: boolean;
}

/**
 * Reads a bundle that figures are to be drawn from, verifying its records first. One that was ended early may be read.
 * @throws UsageError naming the first record that is off.
 */
export async function verifiedBundle(bundle: string): Promise<VerifiedBundle> {
  const { verified, findings } = await verifiedRecords(bundle);
  const off = findings.find(({ kind }) => kind === 'broken');
  if (off !== undefined || verified === null) {
    const where = off === undefined ? 'it cannot be read' : `${off.file}: ${off.problem}`;
    throw new UsageError(`${bundle} does not verify: ${where}`, `see "touchstone verify ${bundle}"`);
  }
  return { ...verified, complete: findings.length === 0 };
}

/** Reads a bundle and everything that is off about its records. */
export async function verifiedRecords(bundle: string): Promise<{ verified: Verified | null; findings: Finding[] }> {
  const findings: Finding[] = [];
  const verifying = verifyRecords(bundleLayout(bundle));
  for (;;) {
    const step = await verifying.next();
    if (step.done === true) return { verified: step.value, findings };
    findings.push(step.value);
  }
}
