import { mkdir, symlink } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { confineIfThere } from '../../src/task/suite-paths.ts';
import { tempFiles } from './temp-files.ts';

test('a file that will be made stays inside, whatever of its folders is there', async () => {
  await using files = await tempFiles({ 'there.zip': '' });
  const at = (path: string) => confineIfThere(files.folder, path, [files.folder]);
  expect(await at('new.zip')).toEqual({ ok: true, value: files.path('new.zip') });
  expect(await at('deep/er/new.zip')).toEqual({ ok: true, value: files.path('deep/er/new.zip') });
  expect(await at('there.zip')).toEqual({ ok: true, value: files.path('there.zip') });
  expect(await at('../new.zip')).toMatchObject({ ok: false });
});

test('no file is made through a link that leads out of the folder', async () => {
  await using outside = await tempFiles({});
  await using files = await tempFiles({});
  await mkdir(files.path('inside'));
  await symlink(outside.folder, files.path('linked'));
  await symlink(files.path('inside'), files.path('linked-inside'));
  const problems = [{ path: [], message: '"linked" leaves the suite\'s folder through a link; put a copy inside' }];
  expect(await confineIfThere(files.folder, 'linked/deep/new.zip', [files.folder])).toEqual({ ok: false, problems });
  expect(await confineIfThere(files.folder, 'linked-inside/new.zip', [files.folder])).toMatchObject({ ok: true });
});
