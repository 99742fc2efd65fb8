import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { touchstone } from '../cli/touchstone.ts';
import { folderOf } from '../suite-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function suite(times: number, closes = times): Promise<string> {
  return await folderOf({
    'app/app.ts': `let made = 0;
    let closed = 0;
    const close = () => {
      closed += 1;
      if (closed > ${closes}) throw new Error('the door is jammed');
    };
    export default () => {
      made += 1;
      if (made > ${times}) throw new Error('no room for another');
      return { fetch: () => new Response('hello'), state: () => null, close };
    };`,
    'suite.yaml': `id: mine
title: Mine
tasks: [task.yaml]
world: { kind: local, sites: [{ origin: http://mine.localhost, app: app/app.ts }] }
`,
    'task.yaml': `{ id: a, title: A, startUrl: 'http://mine.localhost/', goal: A, success: { kind: dom_text, contains: bye } }`,
  });
}

test.each([
  ['that does not rise in the midst of a campaign is an infrastructure error, and no end of it', 1, 'infra_error'],
  ['that rises is none', 2, 'failed'],
])('a world %s', async (_, times, status) => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const ran = await touchstone('run', await suite(times), '--agent', 'null', '--out', bundle);
  const { episodes } = JSON.parse(await readFile(path.join(bundle, 'report.json'), 'utf8'));
  expect(episodes).toMatchObject([{ status }]);
  expect(ran.exit).toBe(status === 'infra_error' ? 3 : 0);
});

test('a world that does not close takes no judged row with it, and does not end the campaign', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  // Once before the campaign, to see whether it rises.
  const ran = await touchstone('run', await suite(9, 1), '--agent', 'null', '-n', '2', '--out', bundle);
  const { episodes, complete } = JSON.parse(await readFile(path.join(bundle, 'report.json'), 'utf8'));
  expect(episodes).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
  expect(complete).toBe(true);
  expect(ran.exit).toBe(0);
  expect(ran.err).toContain('the app of http://mine.localhost cannot be closed: the door is jammed');
});

test.each([
  ['that changes its own files while it is up is no world of a bundle that holds', 'app', 2],
  ['that writes elsewhere is', '', 0],
])('a world %s', async (_, beside, exit) => {
  const folder = await suite(9);
  const file = path.join(folder, 'app/app.ts');
  const app = await readFile(file, 'utf8');
  const writing = `(await import('node:fs')).writeFileSync(${JSON.stringify(path.join(folder, beside, 'later.txt'))}, String(made));`;
  await writeFile(file, app.replace('export default () => {', `export default async () => { ${writing}`));
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const ran = await touchstone('run', folder, '--agent', 'null', '--out', bundle);
  expect(ran.exit).toBe(exit);
  expect(ran.err.includes('the files of the world of mine changed during the run')).toBe(exit !== 0);
  expect(existsSync(path.join(bundle, 'seal.json'))).toBe(exit === 0);
});
