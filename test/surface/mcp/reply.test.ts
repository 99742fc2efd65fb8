import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { replyOf } from '../../../src/surface/mcp/reply.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** What an agent reads of a reply that links to a file with these bytes in the server's home. */
async function linking(bytes: string | Buffer): Promise<string> {
  const home = await temporaryFolder();
  await writeFile(path.join(home, 'file'), bytes);
  return (await replyOf({ content: [{ type: 'text', text: 'see [it](file)' }] }, { here: home, inside: home })).text;
}

test('a linked text file is appended to the reply', async () => {
  expect(await linking('- button "Größe"')).toBe('see [it](file)\n### File file\n- button "Größe"');
});

test.each([
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])],
  ['of another encoding', Buffer.from('Größe...', 'latin1')],
  ['of text with a zero in it', Buffer.from('ab\0cde')],
])('a file that is %s is reported by its length alone', async (_what, bytes) => {
  expect(await linking(bytes)).toBe(`see [it](file)\n### File file\n[file of ${bytes.length} bytes]`);
});

test('a long text file is cut, even inside a character', async () => {
  const text = await linking(`x${'ä'.repeat(1024 * 1024)}`);
  expect(text.endsWith('ää')).toBe(true);
  expect(text).toHaveLength('see [it](file)\n### File file\n'.length + 1 + (1024 * 1024) / 2 - 1);
});

test('a file outside the home is not read', async () => {
  const home = await temporaryFolder();
  const outside = path.join(await temporaryFolder(), 'secret');
  await writeFile(outside, 'secret');
  await symlink(outside, path.join(home, 'link'));
  const text = `[a](../secret) [b](link) [c](${outside})`;
  expect(await replyOf({ content: [{ type: 'text', text }] }, { here: home, inside: home })).toEqual({
    ok: true,
    kind: 'text',
    text,
  });
});

/** Has a name stand for a folder and for a link in turn, as fast as it can. */
const SWAP = `
  const { renameSync } = require('node:fs');
  const { link, name, other } = require('node:worker_threads').workerData;
  for (;;) {
    renameSync(name, other);
    renameSync(link, name);
    renameSync(name, link);
    renameSync(other, name);
  }`;

test('a file outside the home is not read if a link replaces its folder after the check', async () => {
  const [home, outside] = [await temporaryFolder(), await temporaryFolder()];
  const place = { name: path.join(home, 'name'), link: path.join(home, 'link'), other: path.join(home, 'other') };
  await mkdir(place.name);
  await symlink(outside, place.link);
  const files = Array.from({ length: 8 }, (_, index) => `file-${index}`);
  for (const file of files) {
    await writeFile(path.join(place.name, file), 'its own');
    await writeFile(path.join(outside, file), 'a secret');
  }
  const text = files.map((file) => `[a file](name/${file})`).join(' ');
  const read = async () =>
    (await replyOf({ content: [{ type: 'text', text }] }, { here: home, inside: home })).text.slice(text.length);
  expect(await read()).toContain('its own');
  const swapping = new Worker(SWAP, { eval: true, workerData: place });
  const replies: string[] = [];
  while (replies.length < 500) replies.push(await read());
  await swapping.terminate();
  expect(replies.filter((reply) => reply.includes('a secret'))).toEqual([]);
});
