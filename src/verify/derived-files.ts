import { placeOfDifference } from '../bundle/difference.ts';
import { isMissing } from '../bundle/errors.ts';
import { MAX_BYTES } from '../bundle/limits.ts';
import { readPlainFile } from '../bundle/plain-file.ts';
import { messageOf } from '../contract/message-of.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import { fileProblem, type BundleProblem, incomplete } from './finding.ts';
import { join } from 'node:path';

/** A file that is drawn from rows, and what it has to be. */
export interface DerivedFile {
  name: string;
  text: string;
}

/** Compares what is derived with what was drawn anew, byte by byte, and names the first line or field that differs. */
export async function* derivedFindings(
  { root }: BundleLayout,
  files: readonly DerivedFile[],
): AsyncGenerator<BundleProblem> {
  for (const { name, text } of files) {
    try {
      const bytes = readPlainFile(join(root, name), MAX_BYTES.attemptFile);
      if (!bytes.equals(Buffer.from(text))) yield difference(name, bytes.toString('utf8'), text);
    } catch (error) {
      yield isMissing(error)
        ? incomplete(name, 'is missing; "touchstone report" draws it')
        : fileProblem(name, messageOf(error));
    }
  }
}

function difference(name: string, found: string, drawn: string): BundleProblem {
  const field = name.endsWith('.json') ? otherField(found, drawn) : null;
  if (field !== null) return fileProblem(name, `${field} is not what the rows come to`);
  const [lines, anew] = [found.split('\n'), drawn.split('\n')];
  const at = anew.findIndex((line, index) => line !== lines[index]);
  return fileProblem(`${name}:${at === -1 ? anew.length : at + 1}`, 'is not what the rows come to');
}

function otherField(found: string, drawn: string): string | null {
  try {
    const place = placeOfDifference(JSON.parse(found), JSON.parse(drawn));
    return place === '' ? 'the whole' : place;
  } catch {
    return null;
  }
}
