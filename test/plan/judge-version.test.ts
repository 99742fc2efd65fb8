import { execFile } from 'node:child_process';
import { appendFile, cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { judgeVersion, againstPinned } from '../../src/plan/pins.ts';
import { SEMANTICS } from '../../src/contract/semantics.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** The versions that a copy of our code reports after an edit. */
async function versionsAfter(edit: (contractFolder: string) => Promise<void>): Promise<unknown> {
  const folder = path.join(await temporaryFolder(), 'copy');
  await cp(path.join(ROOT, 'src'), path.join(folder, 'src'), { recursive: true });
  for (const file of ['package.json', 'tsconfig.json']) await cp(path.join(ROOT, file), path.join(folder, file));
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  await edit(path.join(folder, 'src/contract'));
  const program = path.join(folder, 'print.ts');
  await writeFile(
    program,
    `import { judgeVersion } from './src/plan/pins.ts';
     import { SEMANTICS } from './src/contract/semantics.ts';
     console.log(JSON.stringify({ judge: judgeVersion(), semantics: SEMANTICS }));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program], { cwd: folder });
  return JSON.parse(stdout);
}

test('a comment in every file of src/contract leaves the version of the judge unchanged, and no proof is stale', async () => {
  const versions = await versionsAfter(async (folder) => {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) await appendFile(path.join(entry.parentPath, entry.name), '\n// A comment.\n');
    }
  });
  expect(versions).toEqual({ judge: judgeVersion(), semantics: SEMANTICS });
});

test('another version of a kind makes another judge', async () => {
  const versions = await versionsAfter(async (folder) => {
    const file = path.join(folder, 'assertions/url.ts');
    await writeFile(file, (await readFile(file, 'utf8')).replace('version: 1', 'version: 2'));
  });
  expect(versions).toMatchObject({ semantics: { ...SEMANTICS, url: 2 } });
  expect(versions).not.toMatchObject({ judge: judgeVersion() });
});

const KNOWN = { name: 'Chrome', version: '156.0', build: 'r1', kind: 'full' } as const;
const OURS = { ...KNOWN, ours: true, sandbox: true, isolation: 'bubblewrap' } as const;
const THEIRS = { ...KNOWN, ours: false, sandbox: null };

test.each([
  ['the pinned one', 'pinned', OURS, OURS],
  ['one of its build that is not ours', 'stand_in', THEIRS, OURS],
  ['one of its version and another build', 'other', { ...THEIRS, build: 'r2' }, OURS],
  ['one of another kind', 'other', { ...THEIRS, kind: 'shell' as const }, OURS],
  ['one of ours without its sandbox', 'other', { ...OURS, sandbox: false }, OURS],
  ['one of ours, where the pinned one is not ours', 'other', OURS, THEIRS],
])('next to the pinned browser, %s is %s', (_, standing, browser, pinned) => {
  expect(againstPinned(browser, pinned)).toBe(standing);
});
