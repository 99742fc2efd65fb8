import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/plan/package-root.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const run = promisify(execFile);

const STORE = {
  AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:10',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'hush-4711',
};

async function without(missing: string): Promise<string> {
  const [root, folder] = [packageRoot(), await temporaryFolder()];
  await cp(path.join(root, 'src'), path.join(folder, 'src'), { recursive: true });
  await cp(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  const packages = path.join(folder, 'node_modules');
  await mkdir(packages);
  const installed = await readdir(path.join(root, 'node_modules'));
  expect(installed).toContain(missing);
  for (const name of installed.filter((each) => each !== missing)) {
    await symlink(path.join(root, 'node_modules', name), path.join(packages, name));
  }
  return folder;
}

test.each([
  ['aws4fetch', '--store s3:// needs aws4fetch, which is not installed', 'run "npm install aws4fetch"'],
  [
    'bullmq',
    '--queue needs bullmq and ioredis, and bullmq is not installed',
    'run "npm install bullmq ioredis" where Touchstone is installed',
  ],
])(
  'without the package %s a queue is refused before it is asked for, with what installs it',
  async (missing, why, remedy) => {
    const cwd = await without(missing);
    const store = missing === 'aws4fetch' ? ['--store', 's3://evidence/run'] : [];
    const words = ['--import', 'tsx', 'src/cli/main.ts', 'worker', '--queue', 'redis://127.0.0.1:10', ...store];
    const ran = run(process.execPath, words, { cwd, env: { ...process.env, ...STORE } });
    await expect(ran).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
    await expect(ran).rejects.toMatchObject({ stderr: expect.stringContaining(remedy) });
    await expect(ran).rejects.not.toMatchObject({ stderr: expect.stringContaining('hush-4711') });
  },
);
