import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

const IMPORTS: [file: string, imported: string, allowed: boolean][] = [
  ['src/contract/a.ts', '../task/b.ts', false],
  ['src/contract/assertions/a.ts', '../../bundle/b.ts', false],
  ['src/contract/assertions/a.ts', '../evidence.ts', true],
  ['src/process/a.ts', '../contract/b.ts', false],
  ['src/world/a.ts', '../process/b.ts', true],
  ['src/bundle/a.ts', '../process/b.ts', false],
  ['src/fault/a.ts', '../contract/b.ts', true],
  ['src/fault/a.ts', '../task/b.ts', false],
  ['src/browser/a.ts', '../fault/b.ts', false],
  ['src/world/a.ts', '../fault/b.ts', true],
  ['src/task/a.ts', '../contract/b.ts', true],
  ['src/task/a.ts', '../fault/b.ts', true],
  ['src/task/a.ts', '../agent/b.ts', false],
  ['src/agent/a.ts', '../surface/b.ts', false],
  ['src/surface/aria/a.ts', '../../episode/b.ts', false],
  ['src/browser/a.ts', '../world/b.ts', false],
  ['src/episode/a.ts', '../surface/b.ts', true],
  ['src/episode/a.ts', '../bundle/b.ts', false],
  ['src/campaign/a.ts', '../episode/b.ts', true],
  ['src/campaign/a.ts', '../report/b.ts', false],
  ['src/report/a.ts', '../campaign/b.ts', false],
  ['src/check/a.ts', '../campaign/b.ts', true],
  ['src/check/a.ts', '../cli/b.ts', false],
  ['src/viewer/a.ts', '../report/b.ts', true],
  ['src/viewer/a.ts', '../cli/b.ts', false],
  ['src/report/a.ts', '../viewer/b.ts', false],
];

test.each(IMPORTS)('%s importing %s: allowed is %s', async (file, imported, allowed) => {
  const folder = await temporaryFolder();
  await copyFile(path.join(ROOT, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), `import { b } from '${imported}';\nexport const a = b;\n`);
  const oxlint = path.join(ROOT, 'node_modules/.bin/oxlint');
  const passes = await promisify(execFile)(oxlint, ['--deny-warnings', 'src'], { cwd: folder }).then(
    () => true,
    (error: { stdout: string }) => {
      expect(error.stdout).toContain('no-restricted-imports');
      return false;
    },
  );
  expect(passes).toBe(allowed);
});
