import { extname } from 'node:path';
import { readScript } from './script-source.ts';
import { unreadable, type ReadSource } from './source.ts';
import { readText } from './text-file.ts';
import { parseText } from './text-source.ts';

const TEXT_FORMATS = ['.yaml', '.yml', '.json'];
const SCRIPT_FORMATS = ['.ts', '.mts'];

/** Reads a YAML, JSON or TypeScript file. TypeScript has no places: what it exports was computed. */
export async function readSource(file: string): Promise<ReadSource> {
  const format = extname(file).toLowerCase();
  if (SCRIPT_FORMATS.includes(format)) return readScript(file);
  if (!TEXT_FORMATS.includes(format)) {
    return unreadable(`is of no known format; use ${[...TEXT_FORMATS, ...SCRIPT_FORMATS].join(', ')}`);
  }
  const text = await readText(file);
  if (!text.ok) return unreadable(text.message);
  return parseText(text.value, format === '.json' ? 'json' : 'yaml');
}
