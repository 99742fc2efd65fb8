import { openSync, writeSync } from 'node:fs';
import { expect, test } from 'vitest';
import { outsideProof } from '../../src/episode/outside-proof.ts';
import { heardSink } from './heard-sink.ts';
import { moves, stage } from './staged-episode.ts';

function diskFull(): unknown {
  return thrownBy(() => writeSync(openSync('/dev/full', 'w'), 'x'));
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

test('a write to a full disk is proof from outside the entrant', () => {
  expect(outsideProof(diskFull())).toBe('disk_full');
});

test.each<[string, unknown]>([
  ['a file that is not there', thrownBy(() => openSync('/nowhere/at/all', 'r'))],
  ['a string that is too long', thrownBy(() => 'x'.repeat(2 ** 29).repeat(2))],
  ['an error that calls itself one of a full disk', Object.assign(new Error('no space left'), { code: 'ENOSPC' })],
  ['an object of its shape', { code: 'ENOSPC', errno: -28, syscall: 'write', message: 'no space left' }],
  ['words', 'ENOSPC: no space left on device, write'],
  ['nothing', undefined],
])('%s is none', (_what, thrown) => {
  expect(outsideProof(thrown)).toBeNull();
});

test.each<[string, unknown, string]>([
  ['a full disk voids an attempt', diskFull(), 'infra_error'],
  ['any other error does not', new RangeError('Invalid string length'), 'inconclusive'],
])('if an end cannot be recorded, %s', async (_what, thrown, status) => {
  const evidence = (moment: 'start' | 'end'): void => {
    if (moment === 'end') throw thrown;
  };
  const setup = { sink: { ...heardSink(), evidence } };
  const { result } = await stage({ task: {}, pages: { '/': '<h1>Open</h1>' }, agent: moves(), setup });
  expect(result.status).toBe(status);
});
