import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleLayout, type BundleLayout } from '../../src/bundle/layout.ts';
import type { Row } from '../../src/bundle/row.ts';
import { type DerivedFile, derivedFindings } from '../../src/verify/derived-files.ts';
import { type BundleProblem, factIn } from '../../src/verify/finding.ts';
import { verifyRecords } from '../../src/verify/verify.ts';
import { RowsFile } from '../../src/verify/rows-file.ts';
import { drawReport, reportFiles } from '../../src/cli/drawn-files.ts';
import { CountedRows } from '../../src/report/counted-rows.ts';

export class BundleCopy {
  readonly layout: BundleLayout;
  readonly files: readonly string[];
  readonly #rows: readonly Row[];
  readonly #derived: readonly DerivedFile[];

  private constructor(
    layout: BundleLayout,
    files: readonly string[],
    rows: readonly Row[],
    derived: readonly DerivedFile[],
  ) {
    this.layout = layout;
    this.files = files;
    this.#rows = rows;
    this.#derived = derived;
  }

  static async of(bundle: string, folder: string): Promise<BundleCopy> {
    await cp(bundle, folder, { recursive: true });
    const layout = bundleLayout(folder);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      .toSorted();
    const rows: Row[] = [];
    const verifying = verifyRecords(layout, (row) => {
      rows.push(row);
    });
    const { done, value } = await verifying.next();
    if (done !== true || value === null) throw new Error(`${bundle} does not verify to begin with`);
    return new BundleCopy(layout, files, rows, reportFiles(drawReport(value, CountedRows.of(rows), true), layout));
  }

  async read(file: string): Promise<Buffer> {
    return await readFile(path.join(this.layout.root, file));
  }

  /**
   * What `verify` finds first when these files are changed; null for a file that is taken away. A file that is derived leaves
   * the records as they are, so those are not verified again. An unreadable bundle is reported as well.
   */
  async firstFinding(changed: ReadonlyMap<string, Buffer | null>): Promise<BundleProblem | null> {
    const before = new Map<string, Buffer | null>();
    for (const file of changed.keys()) before.set(file, this.files.includes(file) ? await this.read(file) : null);
    await this.#write(changed);
    try {
      const isDerived = (file: string) => file === 'rows.jsonl' || this.#derived.some(({ name }) => name === file);
      const findings = [...changed.keys()].every(isDerived) ? this.#inDerived() : verifyRecords(this.layout, () => {});
      for await (const finding of findings) return finding;
      return null;
    } catch (error) {
      return { file: 'campaign.json', problem: factIn(error), kind: 'broken' };
    } finally {
      await this.#write(before);
    }
  }

  async *#inDerived(): AsyncGenerator<BundleProblem> {
    const rowsFile = new RowsFile(this.layout);
    for (const row of this.#rows) await rowsFile.take(row);
    const finding = await rowsFile.end();
    if (finding !== null) yield finding;
    yield* (await derivedFindings(this.layout, this.#derived)).findings;
  }

  async #write(files: ReadonlyMap<string, Buffer | null>): Promise<void> {
    for (const [file, bytes] of files) {
      const place = path.join(this.layout.root, file);
      if (bytes === null) await rm(place);
      else await writeFile(place, bytes);
    }
  }
}
