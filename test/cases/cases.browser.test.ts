import { cp } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rowsOf } from '../cli/bundle-files.ts';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Situations from public bug reports, a suite each; its README names the source and the right verdict.
const CASES: [name: string, surfaces: string, expected: Record<string, string>][] = [
  ['15-drag', 'aria,dom,pixels,playwright', { aria: 'passed', dom: 'passed', pixels: 'passed', playwright: 'passed' }],
  ['16-canvas', 'aria,pixels', { aria: 'agent_error', pixels: 'passed' }],
];

test.each(CASES)('%s has the right verdict through %s', async (name, surfaces, expected) => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  await touchstone(
    'run',
    path.join(import.meta.dirname, name),
    '--agent',
    'reference',
    '--surface',
    surfaces,
    '--out',
    bundle,
  );
  const rows = await rowsOf(bundle);
  expect(Object.fromEntries(rows.map(({ surface, status }) => [surface, status]))).toEqual(expected);
});

test.each(CASES)('%s qualifies: its near-miss does not pass', async (name) => {
  const suite = path.join(await temporaryFolder(), name);
  await cp(path.join(import.meta.dirname, name), suite, { recursive: true });
  const ran = await touchstone('qualify', suite, '--surface', 'pixels', '--out', `${suite}-trials`);
  expect(ran).toMatchObject({ exit: 0 });
});
