import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { webServer } from '../world/live/web-server.ts';
import { touchstone } from './touchstone.ts';

const HOST = 'long.example-web.test';
const MEGABYTE = 1024 * 1024;

function pageOf(bytes: number): string {
  const paragraph = (at: number): string =>
    `<p id="p${at}">Paragraph <b>${at}</b> says that <a href="#p${at + 1}">the next</a> says no more.</p>\n`;
  const parts = ['<!doctype html><title>Long</title><h1>Long</h1><a href="/end">End</a>'];
  for (let size = 0, at = 0; size < bytes; at += 1) {
    const part = paragraph(at);
    parts.push(part);
    size += part.length;
  }
  return parts.join('');
}

async function recordOver(bytes: number, maxDurationMs: number) {
  const page = pageOf(bytes);
  await using site = await webServer((request, reply) => {
    reply.setHeader('content-type', 'text/html');
    reply.end(request.url === '/long' ? page : '<!doctype html><title>End</title><h1>End</h1>');
  });
  const suite = await temporaryFolder();
  await writeFile(
    path.join(suite, 'suite.yaml'),
    'id: long\ntitle: Long\ntasks: [tasks.yaml]\nworld: { kind: archive, archive: web.zip }\n',
  );
  await writeFile(
    path.join(suite, 'tasks.yaml'),
    `id: over
title: Over a long page
startUrl: http://${HOST}/
goal: Open the long page.
maxDurationMs: ${maxDurationMs}
success: { kind: url, pattern: '/long$' }
solutions: [{ steps: [{ do: go, url: 'http://${HOST}/long' }] }]
`,
  );
  return await touchstone('record', suite, '--pages', '0', '--connect-to', `${HOST}:80:127.0.0.1:${site.port}`);
}

test('a page of 15 MB is captured in time, or refused by name', async () => {
  const { exit, err } = await recordOver(15 * MEGABYTE, 120_000);
  const isRefused = err.includes(`cannot be judged: http://${HOST}/long (`);
  // Which of the two it is hangs on the machine; never is it recorded as if it could be judged.
  expect({ exit, isRefused }).toEqual({ exit: isRefused ? 1 : 0, isRefused });
});

test('a page that takes much of the available time to capture is named, and a small one is not', async () => {
  const url = `http://${HOST}/long`;
  const large = await recordOver(MEGABYTE, 2_000);
  expect(large.err).toMatch(new RegExp(`one look takes [\\d.]+ s of the 2\\.0 s that its task has: ${url}\n`));
  const small = await recordOver(100, 120_000);
  expect(small).toMatchObject({ exit: 0, err: expect.not.stringMatching(/one look takes|cannot be judged/) });
});
