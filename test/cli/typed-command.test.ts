import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { refuseInstalled } from '../../src/cli/suites.ts';
import { asTyped } from '../../src/cli/terminal.ts';
import { typedFolder } from '../../src/cli/streams.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { PROGRAM } from './touchstone-process.ts';

describe('a command in a message is written as its user types it', () => {
  test.each([
    ['see "touchstone verify bundles/one"', 'see "npx touchstone verify bundles/one"'],
    ['see "touchstone --help"', 'see "npx touchstone --help"'],
    ['touchstone qualify touchstone --task book', 'npx touchstone qualify touchstone --task book'],
    ['touchstone run touchstone book', 'npx touchstone run touchstone book'],
    ['touchstone verify a, or touchstone report a', 'npx touchstone verify a, or npx touchstone report a'],
    ['./bin/touchstone run', './bin/touchstone run'],
    ['touchstone qualify ./touchstone', 'npx touchstone qualify ./touchstone'],
    ['bundles/touchstone; Touchstone needs touchstone.yaml', 'bundles/touchstone; Touchstone needs touchstone.yaml'],
  ])('%s', (text, typed) => {
    expect(asTyped(text, { command: 'npx touchstone' })).toBe(typed);
  });

  test('by a script of npm, too', () => {
    expect(asTyped('touchstone list', { command: 'npm run touchstone --' })).toBe('npm run touchstone -- list');
  });
});

describe('files of an installed package', () => {
  const ROOT = '/home/me/shop/node_modules/touchstone';
  const own = '/home/me/shop/suite/qualification.json';

  test('are not written', () => {
    expect(() => refuseInstalled([own, `${ROOT}/suites/basics/qualification.json`], ROOT)).toThrow(
      'suites/basics/qualification.json belongs to the installed package',
    );
  });

  test('are not those of the project around it, or of a clone', () => {
    expect(() => refuseInstalled([own], ROOT)).not.toThrow();
    expect(() => refuseInstalled(['/home/me/clone/suites/basics/a.json'], '/home/me/clone')).not.toThrow();
  });
});

describe('relative files are named from the folder in which the command was typed', () => {
  test.each([
    ['by the script that is the program', 'touchstone', packageRoot(), '/bundles/one'],
    ['but from the root by a script that names files of the package', 'bench', packageRoot(), null],
    [
      'but from the root by a script of the same name in another package',
      'touchstone',
      path.join(packageRoot(), 'src'),
      null,
    ],
    ['but from the current folder without a script', undefined, packageRoot(), null],
  ])('%s', (_, script, cwd, folder) => {
    const variables = script === undefined ? {} : { INIT_CWD: '/bundles/one', npm_lifecycle_event: script };
    expect(typedFolder(variables, cwd)).toBe(folder);
  });

  function typedIn(folder: string, ...words: string[]) {
    const env = { ...process.env, INIT_CWD: folder, npm_lifecycle_event: 'touchstone' };
    return spawnSync(process.execPath, [...PROGRAM, ...words], { cwd: packageRoot(), encoding: 'utf8', env });
  }

  test('by the program, even if npm runs it in the root', async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, 'bundle-of-mine'));
    const { stderr } = typedIn(folder, 'verify', 'bundle-of-mine');
    expect(stderr).toContain('bundle-of-mine has no readable campaign.json');
  });

  test('and a folder that no longer exists is an error with a remedy', async () => {
    const { stderr, status } = typedIn(path.join(await temporaryFolder(), 'gone'), 'list', 'basics');
    expect(stderr).toMatch(/^error: .* \(ENOENT\)\n {2}remedy: /);
    expect(status).toBe(2);
  });
});
