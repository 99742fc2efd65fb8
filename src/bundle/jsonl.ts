import { open } from 'node:fs/promises';
import { fact } from '../messages/messages.ts';
import { BundleError } from './errors.ts';
import { refuseHalves, textIn } from './json-file.ts';
import { MAX_BYTES } from './limits.ts';
import { piecesOfPlainFile } from './plain-file.ts';

/** One line: `number` counts from 1, `end` is the offset after its newline. A line is torn if its writer was killed. */
export type JsonLine =
  | { number: number; torn: false; value: unknown; text: string; end: number }
  | { number: number; torn: true };

export interface JsonLineWriter {
  append(value: unknown): Promise<void>;
  close(): Promise<void>;
}

const NEWLINE = 0x0a;

/** Opens a JSON Lines file. Each line is handed to the system at once, so a kill loses none that was awaited. */
export async function openJsonLines(path: string): Promise<JsonLineWriter> {
  const file = await open(path, 'a');
  let last: Promise<unknown> = Promise.resolve();
  return {
    append(value) {
      const line = `${JSON.stringify(value)}\n`;
      const written = last.then(async () => file.appendFile(line));
      last = written.catch(() => {});
      return written;
    },
    async close() {
      await last;
      await file.close();
    },
  };
}

/**
 * Reads a JSON Lines file lazily. Only the last line can be torn. @throws BundleError naming another line that is not JSON, not
 * UTF-8 or holds half of a character.
 */
export async function* readJsonLines(path: string, maxLineBytes = MAX_BYTES.line): AsyncGenerator<JsonLine, void> {
  let number = 0;
  for (const { bytes, end } of readLines(path, maxLineBytes)) {
    number += 1;
    if (end === null) {
      yield { number, torn: true };
      continue;
    }
    const place = `${path}:${number}`;
    const text = textIn(bytes, place);
    const value = parse(place, text);
    refuseHalves(text, value, place);
    yield { number, torn: false, value, text, end };
  }
}

function* readLines(path: string, maxLineBytes: number) {
  let end = 0;
  let pieces: Buffer[] = [];
  let held = 0;
  for (const piece of piecesOfPlainFile(path)) {
    let rest = piece;
    for (let at = rest.indexOf(NEWLINE); at !== -1; at = rest.indexOf(NEWLINE)) {
      const bytes = Buffer.concat([...pieces, rest.subarray(0, at)]);
      end += bytes.length + 1;
      yield { bytes, end };
      rest = rest.subarray(at + 1);
      pieces = [];
      held = 0;
    }
    if (rest.length > 0) pieces.push(rest);
    held += rest.length;
    if (held > maxLineBytes) throw new BundleError(fact('line_too_long', { file: path, most: maxLineBytes }));
  }
  if (held > 0) yield { bytes: Buffer.concat(pieces), end: null };
}

function parse(place: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BundleError(fact('not_json', { file: place }), error);
  }
}
