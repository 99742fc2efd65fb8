import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.ts';
import { STAMP } from '../../../src/world/real-app/cache.ts';
import { defineRealApp } from '../../../src/world/real-app/define-real-app.ts';
import type { CreateApp } from '../../../src/world/app.ts';

/** A server that records its requests, shows its environment, and ends on request. */
const SERVER = `
  import { execFileSync, fork, spawn } from 'node:child_process';
  import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
  import http from 'node:http';
  import { Worker } from 'node:worker_threads';
  const sibling = (name) => new URL(name, import.meta.url);
  if (process.argv[3] === 'fail') { console.error('out of clay'); process.exit(1); }
  http.createServer((request, response) => {
    if (request.method === 'POST') request.on('data', (data) => writeFileSync('note.txt', data)).on('end', () => response.end());
    else if (request.url === '/env') response.end(JSON.stringify(Object.keys(process.env)));
    else if (request.url === '/worker') new Worker(sibling('worker.mjs')).once('message', (message) => response.end(message));
    else if (request.url === '/fork') {
      const child = fork(sibling('forked.mjs'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      child.once('message', (message) => response.end(message));
    } else if (request.url === '/detach') {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', process.argv[1]], { detached: true, stdio: 'inherit' });
      child.once('spawn', () => response.end());
    } else if (request.url === '/lock') {
      mkdirSync('locked/below', { recursive: true });
      for (const folder of ['locked/below', 'locked']) chmodSync(folder, 0o500);
      response.end();
    }
    else if (request.url.startsWith('/ask/')) {
      fetch(request.url.slice('/ask/'.length)).then(() => 'answered', () => 'no answer').then((message) => response.end(message));
    } else if (request.url.startsWith('/link')) {
      rmSync('note.txt');
      symlinkSync(request.url.slice('/link'.length), 'note.txt');
      response.end();
    } else if (request.url === '/pipe') {
      rmSync('note.txt');
      execFileSync('mkfifo', ['note.txt']);
      response.end();
    } else if (request.url === '/flood') {
      truncateSync('note.txt', 300e6);
      response.end();
    }
    else if (request.url === '/processes') response.end(JSON.stringify(readdirSync('/proc').filter((name) => Number(name) > 0)));
    else if (request.url.startsWith('/read')) {
      try {
        response.end(readFileSync(request.url.slice('/read'.length)));
      } catch ({ code }) {
        response.end(code);
      }
    }
    else response.end(readFileSync('note.txt', 'utf8') + ' at ' + request.headers.host + request.url);
  }).on('upgrade', (request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: echo\\r\\n\\r\\n');
    socket.pipe(socket);
  }).listen(Number(process.argv[2]), '127.0.0.1');
`;

const LOCK = JSON.stringify({ packages: { 'node_modules/tiny': { version: '1.2.3', license: 'MIT' } } });

/** An adapter for a real application as small as possible, installed in its own cache. */
export async function tinyApp({
  installed = true,
  fails = false,
  throwsIn = null,
  isHalfWritten = () => false,
}: {
  installed?: boolean;
  fails?: boolean;
  isHalfWritten?: () => boolean;
  throwsIn?: 'command' | 'prepare' | null;
} = {}): Promise<{
  create: CreateApp;
  folder: string;
  /** In the command lines of all that it starts. */
  script: string;
}> {
  const folder = path.join(await temporaryFolder(), 'tiny');
  await mkdir(path.join(folder, 'seed'), { recursive: true });
  await writeFile(path.join(folder, 'package-lock.json'), LOCK);
  await writeFile(path.join(folder, 'seed/note.txt'), 'seeded');
  const cache = await temporaryFolder();
  vi.stubEnv('TOUCHSTONE_CACHE', cache);
  const place = path.join(cache, 'apps/tiny-1.2.3');
  await mkdir(place, { recursive: true });
  const script = path.join(place, 'server.mjs');
  await writeFile(script, SERVER);
  await writeFile(
    path.join(place, 'worker.mjs'),
    "import { parentPort } from 'node:worker_threads'; parentPort.postMessage('worked');",
  );
  await writeFile(path.join(place, 'forked.mjs'), "process.send('forked');");
  const failIn = (part: typeof throwsIn): void => {
    if (part === throwsIn) throw new Error(`no ${part} today`);
  };
  if (installed) await writeFile(path.join(place, STAMP), createHash('sha256').update(LOCK).digest('hex'));
  const create = defineRealApp({
    file: pathToFileURL(path.join(folder, 'app.ts')).href,
    package: 'tiny',
    prepare: () => {
      failIn('prepare');
    },
    command: ({ installed: where }, port) => {
      failIn('command');
      return { script: path.join(where, 'server.mjs'), args: [String(port), fails ? 'fail' : 'go'] };
    },
    ready: '/',
    webSockets: true,
    state: async ({ data }) => {
      if (isHalfWritten()) throw new Error('half written');
      return { note: await readFile(path.join(data, 'note.txt'), 'utf8') };
    },
  });
  return { create, folder, script };
}
