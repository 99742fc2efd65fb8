import { expect, test } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { UsageError, knownFailure } from '../../src/cli/exit-code.ts';

const onDisk = (code: string, more: object = { path: '/b/ledger.jsonl' }): Error =>
  Object.assign(new Error(`${code}: x`), { code, ...more });

test.each<[string, unknown, unknown]>([
  [
    'an error of ours',
    new UsageError(fact('suite_not_in_campaign', { suites: 'a' })),
    { message: 'the campaign did not run the suite a', remedy: 'leave it out', exit: 2 },
  ],
  [
    'a file that may not be written',
    onDisk('EACCES'),
    expect.objectContaining({ message: expect.stringContaining('/b/ledger.jsonl'), exit: 2 }),
  ],
  ['a disk that may not be written', onDisk('EROFS'), expect.objectContaining({ exit: 2 })],
  ['a full disk', onDisk('ENOSPC'), expect.objectContaining({ exit: 3 })],
  [
    'a full disk under an open file',
    onDisk('ENOSPC', {}),
    expect.objectContaining({ message: expect.stringContaining('a disk'), exit: 3 }),
  ],
  ['a mistake in our code', new TypeError('x is not a function'), null],
  ['a missing file, which may be a mistake of ours', onDisk('ENOENT'), null],
  ['a thrown text', 'thrown', null],
])('%s', (_, error, known) => {
  expect(knownFailure(error)).toEqual(known);
});
