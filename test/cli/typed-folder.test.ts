import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/plan/package-root.ts';
import { typedFolder } from '../../src/cli/typed-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test.each([
  ['the script that is the program', { INIT_CWD: '/bundles/one', npm_lifecycle_event: 'touchstone' }, '/bundles/one'],
  ['a script that names files of the package', { INIT_CWD: '/bundles/one', npm_lifecycle_event: 'bench' }, null],
  ['no script', {}, null],
])('relative files are those of the folder where the command was typed, by %s', (_, variables, folder) => {
  expect(typedFolder(variables, packageRoot())).toBe(folder);
});

test('a script of that name in the package of somebody else names files from the root of theirs', async () => {
  const theirs = await temporaryFolder();
  const typed = { INIT_CWD: path.join(theirs, 'src'), npm_lifecycle_event: 'touchstone' };
  expect(typedFolder(typed, theirs)).toBeNull();
});

function typedIn(typed: string, ...words: string[]) {
  const program = [path.join(packageRoot(), 'src/cli/main.ts'), ...words];
  return spawnSync(process.execPath, ['--import', import.meta.resolve('tsx'), ...program], {
    cwd: packageRoot(),
    encoding: 'utf8',
    env: { ...process.env, INIT_CWD: typed, npm_lifecycle_event: 'touchstone' },
  });
}

test('a bundle is found by a path from where the command was typed, although npm runs it in the root', async () => {
  const typed = await temporaryFolder();
  await mkdir(path.join(typed, 'bundle-of-mine'));
  const { stderr } = typedIn(typed, 'verify', 'bundle-of-mine');
  expect(stderr).toContain('bundle-of-mine has no readable campaign.json');
});

test('a folder that is gone is an error in words', async () => {
  const { stderr, status } = typedIn(path.join(await temporaryFolder(), 'gone'), 'list', 'basics');
  expect(stderr).toBe(
    'error: the folder where this was typed cannot be entered (ENOENT)\n  remedy: type it elsewhere\n',
  );
  expect(status).toBe(2);
});
