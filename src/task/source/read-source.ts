import { readFile, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { loadTypeScript } from '../../process/typescript-loader.ts';
import { NOWHERE, unreadable, type ReadSource } from './source.ts';
import { parseText } from './text.ts';
import { messageOf } from '../../contract/message-of.ts';

const TEXT_FORMATS = ['.yaml', '.yml', '.json'];
const SCRIPT_FORMATS = ['.ts', '.mts'];

/** Largest task or suite file, in bytes. */
const MAX_FILE_BYTES = 1_048_576;

/**
 * The module that `import … from 'touchstone'` means in a task file. `defineTask` checks nothing here: the loader checks what the file
 * exports, and so reports the problems of all its tasks instead of the first one's.
 */
const AUTHORING = { defineTask: (task: unknown) => task };

/**
 * Reads a YAML, JSON or TypeScript file. TypeScript has no places: what it exports was computed.
 * @param maxBytes of files that people do not write, and that may be larger
 */
export async function readSource(file: string, maxBytes = MAX_FILE_BYTES): Promise<ReadSource> {
  const format = extname(file).toLowerCase();
  if (![...TEXT_FORMATS, ...SCRIPT_FORMATS].includes(format)) {
    return unreadable(`is of no known format; use ${[...TEXT_FORMATS, ...SCRIPT_FORMATS].join(', ')}`);
  }
  try {
    const problem = await sizeProblem(file, maxBytes);
    if (problem !== null) return unreadable(problem);
    if (SCRIPT_FORMATS.includes(format)) return await readScript(file);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
    return parseText(text, format === '.json' ? 'json' : 'yaml');
  } catch (error) {
    return unreadable(readingProblem(error));
  }
}

/** Returns why a path cannot be read as a source file, or null. Checked before reading, so that a huge file costs nothing. */
async function sizeProblem(file: string, maxBytes: number): Promise<string | null> {
  const stats = await stat(file);
  if (!stats.isFile()) return 'is not a file; name a task or suite file';
  if (stats.size <= maxBytes) return null;
  return `is larger than ${maxBytes} bytes (it has ${stats.size}); split it`;
}

/** Runs a TypeScript file and takes its default export. */
async function readScript(file: string): Promise<ReadSource> {
  try {
    const options = { virtualModules: { touchstone: AUTHORING }, anew: true };
    const exported = await loadTypeScript(resolve(file), options);
    if (typeof exported !== 'object' || exported === null || !('default' in exported)) {
      return unreadable('has no default export; write "export default defineTask({ … })"');
    }
    return { ok: true, value: { value: exported.default, placeOf: () => NOWHERE } };
  } catch (error) {
    const reason = messageOf(error);
    return unreadable(`could not be run: ${reason.split('\n', 1).join('')}; make it run without error`);
  }
}

/** Describes a failed read, with a remedy. */
export function readingProblem(error: unknown): string {
  if (error instanceof TypeError) return 'is not UTF-8 text; save it as UTF-8';
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return code === 'ENOENT' ? 'does not exist; check the path' : `cannot be read (${code}); check its permissions`;
}
