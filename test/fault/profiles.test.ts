import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readFaultProfiles } from '../../src/cli/fault-profiles.ts';
import { FAULT_KINDS } from '../../src/fault/registry.ts';

const NAMES = readdirSync(path.resolve(import.meta.dirname, '../../faults')).map((file) =>
  path.basename(file, '.yaml'),
);

test('the built-in profiles have every kind there is, under names of their own', async () => {
  const faults = await readFaultProfiles(NAMES);
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS.map(({ kind }) => kind)));
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
});

test('a profile that is not there is refused, and the others are named', async () => {
  await expect(readFaultProfiles(['earthquakes'])).rejects.toMatchObject({
    remedy: expect.stringContaining('network'),
  });
});
