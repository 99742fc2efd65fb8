import { fact } from '../messages/messages.ts';
import { join } from 'node:path';
import { placeOfDifference } from '../bundle/difference.ts';
import { isMissing } from '../bundle/errors.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import { MAX_BYTES } from '../bundle/limits.ts';
import { readPlainFile } from '../bundle/plain-file.ts';
import { factIn, fileProblem, type BundleProblem, incomplete } from './finding.ts';

/** A file that is drawn from rows. */
export interface DerivedFile {
  name: string;
  text: () => string | Promise<string>;
  /** The line of a page that names the program which drew it; null for `report.json`, which every version draws equally. */
  mark: string | null;
}

/**
 * Draws derived files again, compares their bytes, and names the first line or field that differs. A page may be missing; one with
 * another mark is listed as not compared.
 */
export async function derivedFindings(
  { root }: BundleLayout,
  files: readonly DerivedFile[],
): Promise<{ findings: BundleProblem[]; notCompared: string[] }> {
  const findings: BundleProblem[] = [];
  const notCompared: string[] = [];
  for (const { name, text, mark } of files) {
    try {
      const bytes = readPlainFile(join(root, name), MAX_BYTES.attemptFile);
      if (mark !== null && !bytes.subarray(0, MARK_WITHIN).includes(mark)) {
        notCompared.push(name);
        continue;
      }
      const drawn = await text();
      if (!bytes.equals(Buffer.from(drawn))) findings.push(difference(name, bytes.toString('utf8'), drawn));
    } catch (error) {
      if (!isMissing(error)) findings.push(fileProblem(name, factIn(error)));
      else if (mark === null) findings.push(incomplete(name, fact('report_missing')));
    }
  }
  return { findings, notCompared };
}

/** The first bytes of a page hold the mark, before any text from outside. */
const MARK_WITHIN = 120;

function difference(name: string, found: string, drawn: string): BundleProblem {
  const field = name.endsWith('.json') ? otherField(found, drawn) : null;
  if (field !== null) return fileProblem(name, fact('derived_differs', { place: field }));
  const [lines, again] = [found.split('\n'), drawn.split('\n')];
  const at = again.findIndex((line, index) => line !== lines[index]);
  return fileProblem(`${name}:${at === -1 ? again.length : at + 1}`, fact('derived_differs', { place: '' }));
}

function otherField(found: string, drawn: string): string | null {
  try {
    const place = placeOfDifference(JSON.parse(found), JSON.parse(drawn));
    return place === '' ? 'the whole' : place;
  } catch {
    return null;
  }
}
