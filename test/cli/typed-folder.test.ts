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
  expect(typedFolder(variables)).toBe(folder);
});

test('a bundle is found by a path from where the command was typed, although npm runs it in the root', async () => {
  const typed = await temporaryFolder();
  await mkdir(path.join(typed, 'bundle-of-mine'));
  const program = [path.join(packageRoot(), 'src/cli/main.ts'), 'verify', 'bundle-of-mine'];
  const { stderr } = spawnSync(process.execPath, ['--import', import.meta.resolve('tsx'), ...program], {
    cwd: packageRoot(),
    encoding: 'utf8',
    env: { ...process.env, INIT_CWD: typed, npm_lifecycle_event: 'touchstone' },
  });
  expect(stderr).toContain('bundle-of-mine has no readable campaign.json');
});
