import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openBlobs } from '../../src/bundle/blobs.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { builtIn, folderOf } from '../suite-files.ts';

const suite = await builtIn('account');

async function contentsOf(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const layout = bundleLayout(folder);
  const blobs = openBlobs(layout.blobs);
  return await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async ({ name, parentPath }) => {
        const isBlob = parentPath === layout.blobs;
        const bytes = isBlob ? await blobs.get(name.slice(0, 64)) : await readFile(path.join(parentPath, name));
        return bytes.toString('latin1');
      }),
  );
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const shifted = [0, 1, 2].map((by) => Buffer.concat([Buffer.alloc(by), bytes]).toString('base64'));
  return [
    secret,
    encodeURIComponent(secret),
    secret.replaceAll('-', '%2D'),
    bytes.toString('hex'),
    // In the middle of something longer; what comes before and after it changes the first and the last signs.
    ...shifted.map((text) => text.slice(4, -4)),
    ...shifted.map((text) => text.slice(4, -4).replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

async function found(folder: string, secrets: readonly string[]): Promise<string[]> {
  const contents = await contentsOf(folder);
  return [...new Set(secrets.flatMap(formsOf))].filter((form) => contents.some((text) => text.includes(form)));
}

test('the search finds a secret in a blob, in any form', async () => {
  const folder = await temporaryFolder();
  const blobs = openBlobs(bundleLayout(folder).blobs);
  await mkdir(bundleLayout(folder).blobs, { recursive: true });
  const secret = 'tulip-Harbour-4417';
  expect(await found(folder, [secret])).toEqual([]);
  await blobs.put(Buffer.from(`{"a":"${Buffer.from(`user:${secret}!`).toString('base64')}","b":"x=${secret}"}`));
  expect(await found(folder, [secret])).toHaveLength(2);
});

test('no file of a campaign contains a credential or the cookie of a role', async () => {
  const folder = path.join(await temporaryFolder(), 'bundle');
  const { exit } = await touchstone('run', 'account', '--agent', 'reference,parrot', '--out', folder);
  expect(exit).toBe(0);
  expect(await found(folder, Object.values(suite.credentials))).toEqual([]);
  const contents = await contentsOf(folder);
  // A ticket of a role: its bearer is signed in.
  expect(contents.filter((text) => /(?:grace|ada)\.[\w-]{24}\.[\w-]{43}/.test(text))).toEqual([]);
  // The agent got it, and the app was sent it: both are there by name.
  expect(contents.some((text) => text.includes('[secret:ACCOUNT_PASSWORD]'))).toBe(true);
  expect((await touchstone('verify', folder)).exit).toBe(0);
  expect((await touchstone('rejudge', folder)).exit).toBe(0);
});

test('no file of a campaign contains what a page has in a password field', async () => {
  const fill = "document.querySelector('input').value = ['dahlia', 'Harbour', 9034].join('-')";
  const folder = await folderOf({
    'app/app.ts': `export default () => ({
      fetch: ({ url }) => url.endsWith('.js')
        ? new Response(${JSON.stringify(fill)}, { headers: { 'content-type': 'text/javascript' } })
        : new Response('<input type=password><h1>Open</h1><script src=/fill.js></script>', { headers: { 'content-type': 'text/html' } }),
    });`,
    'suite.yaml': `{ id: mine, title: Mine, tasks: [task.yaml], world: { kind: local, sites: [{ origin: 'http://mine.localhost', app: app/app.ts }] } }`,
    'task.yaml': `{ id: a, title: A, startUrl: 'http://mine.localhost/', goal: A, success: { kind: dom_text, selector: h1, contains: Done } }`,
  });
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const ran = await touchstone('run', folder, '--agent', 'null', '--out', bundle);
  expect(ran.err).toContain('a  null/aria  failed');
  expect(await found(bundle, ['dahlia-Harbour-9034'])).toEqual([]);
});
