import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { problemText } from '../../../src/contract/validation/problem.ts';
import { vendorServer } from '../../../examples/nac3-vendor/checkout.ts';
import { codeProblems } from '../../../src/cli/actions/validate.ts';
import { builtInSuites } from '../../../src/cli/suites.ts';
import { loadSuite } from '../../../src/task/load-suite.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../examples/nac3-vendor');

test('without the checkout, the suite of the vendor loads, and missing files are named with their remedy', async () => {
  delete process.env['TOUCHSTONE_NAC3_VENDOR'];
  const loaded = await loadSuite(FOLDER);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  expect(loaded.suite.tasks).toHaveLength(3);
  const [problem] = await codeProblems(loaded.suite);
  expect(problem && problemText(problem)).toMatch(
    /TOUCHSTONE_NAC3_VENDOR is not set.*; lay the vendor's files out as docs\/nac3\.md/,
  );
});

test('it is not a built-in suite, and must be named to run', () => {
  expect(builtInSuites()).not.toContain('nac3-vendor');
});

test('a folder without the files, and files of other bytes, are refused', async () => {
  const folder = await temporaryFolder();
  const env = { TOUCHSTONE_NAC3_VENDOR: folder };
  expect(() => vendorServer(env)).toThrow(/a folder without vendor\/nac-spec\/js\/nac\.js/);
  await mkdir(path.join(folder, 'vendor/nac-spec/js'), { recursive: true });
  await writeFile(path.join(folder, 'vendor/nac-spec/js/nac.js'), 'another');
  expect(() => vendorServer(env)).toThrow(/nac\.js is another version/);
});
