import path from 'node:path';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Situations from public bug reports. Each folder's README states its source and the right verdict. */
const CASES = [
  { name: 'websocket', surfaces: 'aria,dom', ends: ['websocket passed', 'websocket passed'] },
  {
    name: 'endless-load',
    surfaces: 'aria,playwright-mcp',
    ends: ['endless-load passed', 'endless-load passed', 'endless-load-later passed', 'endless-load-later passed'],
  },
  {
    name: 'uppercase-label',
    surfaces: 'aria,dom,playwright-mcp,puppeteer',
    ends: Array.from({ length: 4 }, () => 'uppercase-label passed'),
  },
];

test.each(CASES)('the right verdict: $name through $surfaces', async ({ name, surfaces, ends }) => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  await touchstone('run', `test/cases/${name}`, '--agent', 'reference', '--surface', surfaces, '--out', bundle);
  const rows = (await readFile(path.join(bundle, 'rows.jsonl'), 'utf8')).trim().split('\n');
  const ended = rows.map((row) => JSON.parse(row)).map(({ task, status }) => `${task} ${status}`);
  expect(ended.toSorted()).toEqual(ends);
});
