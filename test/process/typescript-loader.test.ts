import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/plan/package-root.ts';
import { loadTypeScript } from '../../src/process/typescript-loader.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const OPTIONS = { virtualModules: { touchstone: { one: 1 } }, reloads: true };

function kept(): string[] {
  return readdirSync(path.join(packageRoot(), 'node_modules/.cache/touchstone'));
}

test('a script can import touchstone, and a changed script is loaded again', async () => {
  const file = path.join(await temporaryFolder(), 'stranger.ts');
  await writeFile(file, "import { one } from 'touchstone'; const two: number = one + 1; export default two;");
  expect(await loadTypeScript(file, OPTIONS)).toMatchObject({ default: 2 });
  await writeFile(file, 'export default 3;');
  expect(await loadTypeScript(file, OPTIONS)).toMatchObject({ default: 3 });
});

test('a script that never finishes loading is an error', async () => {
  const file = path.join(await temporaryFolder(), 'endless.ts');
  await writeFile(file, 'await new Promise(() => {}); export default 1;');
  await expect(loadTypeScript(file, { ...OPTIONS, deadlineMs: 50 })).rejects.toThrow('does it await what never comes?');
});

test('only our own compiled scripts are cached', async () => {
  await loadTypeScript(path.join(packageRoot(), 'suites/protocols/template.ts'), OPTIONS);
  expect(kept().filter((name) => name.startsWith('protocols-template.'))).not.toEqual([]);
  const file = path.join(await temporaryFolder(), 'kept-nowhere.ts');
  await writeFile(file, 'export default 1;');
  await loadTypeScript(file, OPTIONS);
  expect(kept().filter((name) => name.includes('kept-nowhere'))).toEqual([]);
});
