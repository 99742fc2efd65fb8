import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/plan/package-root.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const run = promisify(execFile);

/** The outcome hash in README, the same on every machine. */
async function shownInReadme(): Promise<string[]> {
  const readme = await readFile(path.join(packageRoot(), 'README.md'), 'utf8');
  return readme.split('\n').filter((line) => line.startsWith('outcome hash'));
}

test('the package, installed in an empty folder, prints the summary of a clone', async () => {
  const folder = await temporaryFolder();
  // Built already, by the script that npm would run first, and in use.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: packageRoot() });
  const [archive = ''] = await readdir(folder);
  await run('npm', ['install', '--no-audit', '--no-fund', `./${archive}`], { cwd: folder });
  const agents = 'reference,null,parrot';
  const { stdout } = await run('npx', ['touchstone', 'run', 'basics', '--verbose', '--agent', agents], { cwd: folder });
  const shown = await shownInReadme();
  expect(shown).toHaveLength(1);
  for (const line of shown) expect(stdout).toContain(line);
  await expect(run('npx', ['touchstone', 'qualify', 'basics'], { cwd: folder })).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('belongs to the installed package'),
  });
  // Whoever wants a queue installs its libraries.
  const through = ['touchstone', 'run', 'basics', '--queue', 'redis://127.0.0.1:1'];
  await expect(run('npx', through, { cwd: folder })).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('npm install bullmq ioredis'),
  });
  const begun = await run('npx', ['touchstone', 'init', 'bench', '--yes'], { cwd: folder });
  expect(begun.stdout).toContain('npx touchstone run --campaign bench/touchstone.yaml');
  const first = ['touchstone', 'run', '--campaign', 'bench/touchstone.yaml', '--out', 'first'];
  expect((await run('npx', first, { cwd: folder })).stdout).toContain('all met');
});
