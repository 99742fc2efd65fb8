import { readFile, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { loadTypeScript } from '../../process/typescript-loader.ts';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
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
    return unreadable(fact('format_unknown', { formats: [...TEXT_FORMATS, ...SCRIPT_FORMATS] }));
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
async function sizeProblem(file: string, maxBytes: number): Promise<Fact | null> {
  const stats = await stat(file);
  if (!stats.isFile()) return fact('file_not_a_file');
  return stats.size <= maxBytes ? null : fact('file_too_big', { most: maxBytes, bytes: stats.size });
}

/** Runs a TypeScript file and takes its default export. */
async function readScript(file: string): Promise<ReadSource> {
  try {
    const options = { virtualModules: { touchstone: AUTHORING }, anew: true };
    const exported = await loadTypeScript(resolve(file), options);
    if (typeof exported !== 'object' || exported === null || !('default' in exported)) {
      return unreadable(fact('script_without_export'));
    }
    return { ok: true, value: { value: exported.default, placeOf: () => NOWHERE } };
  } catch (error) {
    return unreadable(fact('script_failed', { error: messageOf(error).split('\n', 1).join('') }));
  }
}

/** @param path as the suite file has it; empty where the problem is placed in the file itself */
export function readingProblem(error: unknown, path = ''): Fact {
  if (error instanceof TypeError) return fact('file_not_utf8');
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return code === 'ENOENT' ? fact('file_not_found', { path }) : fact('file_not_readable', { path, error: code });
}
