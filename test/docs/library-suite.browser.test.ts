import path from 'node:path';
import { expect, test } from 'vitest';
import { touchstone } from '../cli/touchstone.ts';
import { writeLibrarySuite } from './library-suite.ts';

test('the suite of docs/write-a-task.md runs: reference and transcript pass, null and parrot do not', async () => {
  const suite = await writeLibrarySuite();
  expect(await touchstone('validate', suite)).toMatchObject({ exit: 0 });
  const bundle = path.join(suite, '../bundle');
  const { exit, out } = await touchstone('run', suite, '--agent', 'reference,transcript,null,parrot', '--out', bundle);
  expect(out).toMatch(/^reference\/aria .* 4 of 4 /m);
  expect(out).toMatch(/^transcript\/aria .* 1 of 1 /m);
  expect(exit).toBe(0);
});
