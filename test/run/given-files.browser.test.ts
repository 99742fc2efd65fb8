import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { touchstone } from '../cli/touchstone.ts';
import { folderOf } from '../suite-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A suite whose app writes a file each time that it is made, from the second on. The first is a check before the run. */
async function suite(written: string): Promise<string> {
  const folder = await folderOf({
    'app/app.ts': '',
    'suite.yaml': `id: mine
title: Mine
tasks: [task.yaml]
world: { kind: local, sites: [{ origin: http://mine.localhost, app: app/app.ts }] }
`,
    'task.yaml': `{ id: a, title: A, startUrl: 'http://mine.localhost/', goal: A, files: [given.txt], success: { kind: dom_text, contains: bye } }`,
    'given.txt': 'as planned',
  });
  const write = `(await import('node:fs')).writeFileSync(${JSON.stringify(path.join(folder, written))}, String(made));`;
  const app = `let made = 0;
    export default async () => {
      made += 1;
      if (made > 1) ${write}
      return { fetch: () => new Response('hello'), state: () => null };
    };`;
  await writeFile(path.join(folder, 'app/app.ts'), app);
  return folder;
}

test.each([
  ['given.txt', 'infra_error', 2],
  ['other.txt', 'failed', 0],
])('if %s changes during a run, the next attempt is %s', async (written, status, exit) => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const ran = await touchstone('run', await suite(written), '--agent', 'null', '-n', '2', '--out', bundle);
  expect(ran.err).toContain('a #1  null/aria  failed');
  expect(ran.err).toContain(`a #2  null/aria  ${status}`);
  expect(ran.exit).toBe(exit);
});
