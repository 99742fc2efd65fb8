import path from 'node:path';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { onPath } from '../../../src/process/environment.ts';
import { touchstone } from '../../cli/touchstone.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** The example is in Python, which a machine need not have. */
const LANGUAGES = onPath('python3') === null ? [] : ['Python'];

test.each(LANGUAGES)('a suite with an app in %s qualifies, and is done through two surfaces', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const entrants = ['--agent', 'reference,null', '--surface', 'aria,dom'];
  const { out } = await touchstone('validate', 'examples/outside-app');
  expect(out).toContain('1 of 1 task qualifies');
  const { exit } = await touchstone('run', 'examples/outside-app', ...entrants, '--out', bundle);
  expect(exit).toBe(0);
  const rows = (await readFile(path.join(bundle, 'rows.jsonl'), 'utf8')).trim().split('\n');
  const ended = rows
    .map((row) => JSON.parse(row))
    .map(({ agent, status, world_kind: world }) => `${agent} ${status} ${world}`);
  expect(new Set(ended)).toEqual(new Set(['reference passed fixture_app', 'null failed fixture_app']));
  expect(ended).toHaveLength(4);
});
