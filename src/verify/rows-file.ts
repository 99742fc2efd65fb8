import { fact } from '../messages/messages.ts';
import { createHash } from 'node:crypto';
import { otherFields } from '../bundle/difference.ts';
import { BundleError, isMissing } from '../bundle/errors.ts';
import { type JsonLine, readJsonLines } from '../bundle/jsonl.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import { piecesOfPlainFile } from '../bundle/plain-file.ts';
import { type Row, ROW_HASHES } from '../bundle/row.ts';
import { canonicalJson } from '../contract/canonical.ts';
import { parsedOr } from '../contract/json.ts';
import { isRecord } from '../contract/validation/record.ts';
import { fileProblem, type BundleProblem, incomplete } from './finding.ts';

const NAME = 'rows.jsonl';

/** Compares `rows.jsonl` with the counted rows as they come, one line at a time. */
export class RowsFile {
  readonly #path: string;
  readonly #lines: AsyncGenerator<JsonLine, void>;
  readonly #drawn = createHash('sha256');
  #count = 0;
  #finding: BundleProblem | null = null;

  constructor({ rows }: BundleLayout) {
    this.#path = rows;
    this.#lines = readJsonLines(rows);
  }

  async take(row: Row): Promise<void> {
    const text = canonicalJson(row);
    this.#drawn.update(`${text}\n`);
    this.#count += 1;
    if (this.#finding !== null) return;
    const line = await this.#next();
    if (line !== null && !line.torn && line.text === text) return;
    this.#finding ??= other(this.#count, line === null || line.torn ? '' : fieldsIn(line.text, row));
  }

  /** Returns the problem once all rows have come. */
  async end(): Promise<BundleProblem | null> {
    // Different bytes may decode to the same text, so the bytes are compared, too.
    if (this.#finding === null && (await this.#next()) !== null) this.#finding = other(this.#count + 1);
    await this.#lines.return();
    if (this.#finding === null && this.#hash() !== this.#drawn.digest('hex')) this.#finding = other(1);
    return this.#finding;
  }

  async #next(): Promise<JsonLine | null> {
    try {
      const { value } = await this.#lines.next();
      return value ?? null;
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      this.#finding = isMissing(error) ? incomplete(NAME, fact('is_missing')) : fileProblem(NAME, error.fact);
      return null;
    }
  }

  #hash(): string | null {
    const hash = createHash('sha256');
    try {
      for (const piece of piecesOfPlainFile(this.#path)) hash.update(piece);
      return hash.digest('hex');
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      this.#finding = fileProblem(NAME, error.fact);
      return null;
    }
  }
}

function other(line: number, fields = ''): BundleProblem {
  return fileProblem(`${NAME}:${line}`, fact('line_differs', { fields }));
}

const MAX_NAMED = 4;

/** Names the fields that differ; empty if the line is not a row of the same attempt. */
function fieldsIn(text: string, row: Row): string {
  const line = parsed(text);
  if (line === null || line['episode_id'] !== row.episode_id || line['attempt'] !== row.attempt) return '';
  const others = otherFields(line, row);
  const telling = others.filter(({ field }) => !ROW_HASHES.has(field));
  const fields = (telling.length === 0 ? others : telling).map(({ field, words }) => `${field} ${words}`);
  const more = fields.length > MAX_NAMED ? [`and ${fields.length - MAX_NAMED} more fields`] : [];
  return [...fields.slice(0, MAX_NAMED), ...more].join('; ');
}

function parsed(text: string): Record<string, unknown> | null {
  const value = parsedOr(text, null);
  return isRecord(value) ? value : null;
}
