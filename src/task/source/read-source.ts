import { readFile, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { z } from 'zod';
import { loadTypeScript } from '../../process/typescript-loader.ts';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import { type Parsed, parsePlainly } from '../../contract/validation/problem.ts';
import { type FileProblem, inFile, NOWHERE, type ReadSource, type Source, unreadable } from './source.ts';
import { parseText } from './text.ts';
import { messageOf } from '../../contract/message-of.ts';

const TEXT_FORMATS = ['.yaml', '.yml', '.json'];
const SCRIPT_FORMATS = ['.ts', '.mts'];

const MAX_FILE_BYTES = 1_048_576;

/**
 * The module `touchstone` in a task file. `defineTask` checks nothing here: the loader checks the exports, and so reports the
 * problems of all tasks.
 */
const AUTHORING = { defineTask: (task: unknown) => task };

/**
 * Reads a YAML, JSON or TypeScript file. TypeScript has no places, since its export was computed.
 * @param maxBytes larger for files that a program writes
 */
export async function readSource(file: string, maxBytes = MAX_FILE_BYTES): Promise<Parsed<Source, FileProblem>> {
  const read = await sourceOf(file, maxBytes);
  return read.ok ? read : { ok: false, problems: read.problems.map((problem) => ({ ...problem, file })) };
}

export async function readChecked<T extends z.ZodType>(
  file: string,
  schema: T,
): Promise<Parsed<z.output<T>, FileProblem>> {
  const read = await readSource(file);
  if (!read.ok) return read;
  const parsed = parsePlainly(schema, read.value.value);
  return parsed.ok ? parsed : { ok: false, problems: inFile(file, read.value, parsed.problems) };
}

async function sourceOf(file: string, maxBytes: number): Promise<ReadSource> {
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

/** Checked before reading, so that a huge file costs nothing. */
async function sizeProblem(file: string, maxBytes: number): Promise<Fact | null> {
  const stats = await stat(file);
  if (!stats.isFile()) return fact('file_not_a_file');
  return stats.size <= maxBytes ? null : fact('file_too_big', { most: maxBytes, bytes: stats.size });
}

async function readScript(file: string): Promise<ReadSource> {
  try {
    const options = { virtualModules: { touchstone: AUTHORING }, reloads: true };
    const exported = await loadTypeScript(resolve(file), options);
    if (typeof exported !== 'object' || exported === null || !('default' in exported)) {
      return unreadable(fact('script_without_export'));
    }
    return { ok: true, value: { value: exported.default, placeOf: () => NOWHERE } };
  } catch (error) {
    return unreadable(fact('script_failed', { error: messageOf(error).split('\n', 1).join('') }));
  }
}

/** @param path as in the suite file; empty if the problem is placed in the file itself */
export function readingProblem(error: unknown, path = ''): Fact {
  if (error instanceof TypeError) return fact('file_not_utf8');
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return code === 'ENOENT' ? fact('file_not_found', { path }) : fact('file_not_readable', { path, error: code });
}
