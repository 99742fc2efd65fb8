import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const BUNDLE = 'docs/bundles/tool-servers';

test('a finished campaign is published under its commit, the same each time', async () => {
  const folder = await temporaryFolder();
  const { exit, out } = await touchstone('publish', BUNDLE, '--to', folder);
  expect(exit).toBe(0);
  const { commit, entrants } = JSON.parse((await touchstone('publish', BUNDLE, '--to', folder, '--json')).out);
  expect(await readdir(folder)).toEqual([`${commit}.json`, `${commit}.md`]);
  expect(entrants).toHaveLength(6);
  expect(out).toContain('| reference through aria | scripted | fixture_app, facsimile | – | 8 / 8 | 100.0 % |');
  const written = await readFile(path.join(folder, `${commit}.md`), 'utf8');
  await touchstone('publish', BUNDLE, '--to', folder);
  expect(await readFile(path.join(folder, `${commit}.md`), 'utf8')).toBe(written);
});

test('one that was ended early has no score', async () => {
  const folder = await temporaryFolder();
  const bundle = path.join(folder, 'bundle');
  await cp(BUNDLE, bundle, { recursive: true });
  const ledger = path.join(bundle, 'ledger.jsonl');
  const lines = (await readFile(ledger, 'utf8')).trimEnd().split('\n');
  await writeFile(ledger, `${lines.slice(0, -1).join('\n')}\n`);
  const { exit, err } = await touchstone('publish', bundle, '--to', path.join(folder, 'reports'));
  expect(err).toContain('has 47 of 48 episodes; a part of a campaign has no score');
  expect(err).toContain(`touchstone run --resume ${bundle}`);
  expect(exit).toBe(2);
  expect(await readdir(folder)).toEqual(['bundle']);
});
