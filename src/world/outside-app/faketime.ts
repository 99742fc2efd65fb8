import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fact } from '../../messages/messages.ts';
import { WorldError } from '../error.ts';

/** Folders in which packages put it, some in one of an architecture. */
const FOLDERS = ['/usr/lib', '/usr/local/lib', '/usr/lib64', '/opt/homebrew/lib'];
const NAMES = new Set(['libfaketime.so.1', 'libfaketime.1.dylib']);

/**
 * Variables by which a program that calls libc gets another time, and all that it starts. Durations stay those of the machine.
 * @throws WorldError `faketime_missing`
 */
export function faketimeEnv(origin: string, offsetMs: number): Record<string, string> {
  const library = libfaketime();
  if (library === null) throw new WorldError(fact('faketime_missing', { origin }));
  return {
    [process.platform === 'darwin' ? 'DYLD_INSERT_LIBRARIES' : 'LD_PRELOAD']: library,
    FAKETIME: `${offsetMs < 0 ? '' : '+'}${(offsetMs / 1000).toFixed(3)}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

/** The library, where the variable `TOUCHSTONE_LIBFAKETIME` or a package has put it; null if it is missing. */
export function libfaketime(): string | null {
  const named = process.env['TOUCHSTONE_LIBFAKETIME'];
  if (named !== undefined && named !== '') return existsSync(named) ? named : null;
  for (const folder of FOLDERS) {
    for (const below of ['.', ...entriesOf(folder)]) {
      const found = entriesOf(path.join(folder, below, 'faketime')).find((name) => NAMES.has(name));
      if (found !== undefined) return path.join(folder, below, 'faketime', found);
    }
  }
  return null;
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
