import { expect, test } from 'vitest';
import { UsageError } from '../../src/cli/usage-error.ts';
import { knownFailure } from '../../src/cli/exit-code.ts';

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: x, open '/b/ledger.jsonl'`), { code, path: '/b/ledger.jsonl' });
}

test('an error of ours brings its remedy', () => {
  expect(knownFailure(new UsageError('no', 'do it so'))).toEqual({ message: 'no', remedy: 'do it so', exit: 2 });
});

test('a place that may not be written is named, and is no fault of ours', () => {
  expect(knownFailure(systemError('EACCES'))).toMatchObject({
    message: '/b/ledger.jsonl cannot be used (permission denied)',
    exit: 2,
  });
  expect(knownFailure(systemError('EROFS'))).toMatchObject({ exit: 2 });
});

test('a full disk is infrastructure', () => {
  expect(knownFailure(systemError('ENOSPC'))).toMatchObject({ exit: 3 });
});

test('a full disk is one also where the error names no file, as when one that is open is written', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(knownFailure(error)).toMatchObject({
    message: 'a disk that is written to cannot be used (no space is left)',
    exit: 3,
  });
});

test('everything else may be a fault of ours, also of the file system', () => {
  expect(knownFailure(new TypeError('x is not a function'))).toBeNull();
  expect(knownFailure(systemError('ENOENT'))).toBeNull();
  expect(knownFailure('thrown')).toBeNull();
});
