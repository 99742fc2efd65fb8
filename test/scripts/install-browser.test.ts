import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

async function runUninstalled(file: string): Promise<string> {
  const clone = await temporaryFolder();
  for (const part of ['src', 'scripts', 'package.json', 'tsconfig.json']) {
    await cp(path.resolve(part), path.join(clone, part), { recursive: true });
  }
  const env = { ...process.env, TOUCHSTONE_BROWSER: process.execPath };
  try {
    await promisify(execFile)(process.execPath, ['--import', TSX, path.join(clone, file)], { cwd: clone, env });
    return 'it ran';
  } catch (error) {
    return String(error);
  }
}

test('the script that installs the browser needs no package, since it runs while these are being installed', async () => {
  expect(await runUninstalled('scripts/install-browser.ts')).toBe('it ran');
});

test('a script that needs one would not run in a bare clone', async () => {
  expect(await runUninstalled('src/cli/main.ts')).toContain('ERR_MODULE_NOT_FOUND');
});
