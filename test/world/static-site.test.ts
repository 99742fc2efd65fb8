import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staticSite } from '../../src/world/static-site.ts';
import { tempFiles, type TempFiles } from '../task/temp-files.ts';

let files: TempFiles;
beforeAll(async () => {
  files = await tempFiles({
    'secret.txt': 'secret',
    'site-2/secret.txt': 'secret',
    'site/index.html': 'home',
    'site/a b.txt': 'spaced',
    'site/picture.PNG': 'png',
    'site/odd.xyz': 'odd',
    'site/wiki/Article': '<!doctype html><h1>article</h1>',
    'site/abs/2401.13919': '<!DOCTYPE HTML>paper',
    'site/notes.txt': '<!doctype html>no page',
    'site/data': 'no page: <!doctype html>',
    'site/sub/index.html': 'sub',
    'site/sub/empty/file.txt': 'file',
  });
  await symlink(files.path('secret.txt'), files.path('site/link.txt'));
  await symlink(files.path('site-2'), files.path('site/linked'));
  await symlink(files.path('site/index.html'), files.path('site/inner.html'));
});
afterAll(() => files[Symbol.asyncDispose]());

async function get(pathname: string, method = 'GET'): Promise<Response> {
  return await staticSite(files.path('site')).fetch(new Request(`http://a.test${pathname}`, { method }));
}

describe('a site of files serves', () => {
  test.each([
    ['/', 'home', 'text/html; charset=utf-8'],
    ['/index.html?query#hash', 'home', 'text/html; charset=utf-8'],
    ['/sub/', 'sub', 'text/html; charset=utf-8'],
    ['/a%20b.txt', 'spaced', 'text/plain; charset=utf-8'],
    ['/picture.PNG', 'png', 'image/png'],
    ['/odd.xyz', 'odd', 'application/octet-stream'],
    ['/wiki/Article', '<!doctype html><h1>article</h1>', 'text/html; charset=utf-8'],
    ['/wiki/Article?action=view', '<!doctype html><h1>article</h1>', 'text/html; charset=utf-8'],
    ['/abs/2401.13919', '<!DOCTYPE HTML>paper', 'text/html; charset=utf-8'],
    ['/notes.txt', '<!doctype html>no page', 'text/plain; charset=utf-8'],
    ['/data', 'no page: <!doctype html>', 'application/octet-stream'],
    ['/sub/../index.html', 'home', 'text/html; charset=utf-8'],
    ['/inner.html', 'home', 'text/html; charset=utf-8'],
  ])('%s', async (pathname, body, type) => {
    const response = await get(pathname);
    expect(await response.text()).toBe(body);
    expect(response.headers.get('content-type')).toBe(type);
  });
});

describe('a site of files does not serve', () => {
  test.each([
    ['what is not there', '/missing.html'],
    ['a parent folder', '/../secret.txt'],
    ['a parent folder, encoded', '/..%2fsecret.txt'],
    ['a parent folder, all of it encoded', '/%2e%2e%2fsecret.txt'],
    ['a parent folder by way of a folder', '/sub/..%2f..%2fsecret.txt'],
    ['a sibling folder that begins with the same name', '/..%2fsite-2%2fsecret.txt'],
    ['an absolute path', `/%2f${encodeURIComponent(path.resolve('/etc/hostname'))}`],
    ['a link to a file outside', '/link.txt'],
    ['a file behind a link to a folder outside', '/linked/secret.txt'],
    ['a path with a NUL', '/index.html%00.txt'],
    ['a path that is not well encoded', '/%E0%A4%A'],
    ['a folder', '/sub'],
    ['a folder without an index', '/sub/empty/'],
  ])('%s', async (_, pathname) => {
    expect((await get(pathname)).status).toBe(404);
  });

  test.each(['POST', 'PUT', 'DELETE'])('by %s', async (method) => {
    expect((await get('/', method)).status).toBe(405);
  });
});

test('a site of files answers HEAD as it answers GET', async () => {
  expect((await get('/', 'HEAD')).status).toBe(200);
});
