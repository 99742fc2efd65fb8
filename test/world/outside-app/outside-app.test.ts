import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { type App, startClock, timeOf } from '../../../src/world/app.ts';
import { WorldError } from '../../../src/world/error.ts';
import { libfaketime } from '../../../src/world/outside-app/faketime.ts';
import { isListening, outsideApp } from '../../../src/world/outside-app/outside-app.ts';
import { freePort } from '../../../src/world/real-app/app-process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** A server with its port as an argument; its state is that of its reset, and then what was posted. */
const SERVER = `
  const { spawn } = require('node:child_process');
  const { existsSync, readFileSync, writeFileSync } = require('node:fs');
  const http = require('node:http');
  let state = { note: existsSync('laid') ? readFileSync('laid', 'utf8') : 'as started' };
  if (process.argv[3] === 'breaks') { console.error('no database today'); process.exit(3); }
  console.log('listening soon');
  const listensAt = process.argv[3] === 'listens elsewhere' ? 0 : Number(process.argv[2]);
  if (process.argv[3] !== 'is silent') http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url === '/__reset') state = { note: JSON.parse(body).note };
    else if (request.method === 'POST') state = { note: body };
    if (request.url === '/child') {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
      return response.end(String(child.pid));
    }
    if (request.url === '/env') return response.end(JSON.stringify({ names: Object.keys(process.env), port: process.env.PORT, clock: process.env.CLOCK, now: Date.now() }));
    if (request.url === '/write') writeFileSync('server.cjs', 'gone');
    if (request.url.startsWith('/__state') && state.note === 'nothing') return response.end('nothing');
    const statuses = { 'is never ready': 503, refuses: 404, 'leads on': 303 };
    response.writeHead((request.url === '/ready' && statuses[process.argv[3]]) || 200);
    response.end(JSON.stringify({ ...state, host: request.headers.host }));
  }).listen(listensAt, '127.0.0.1');
  else setInterval(() => {}, 1000);
`;

const LAYS = "require('node:fs').writeFileSync('laid', JSON.parse(process.env.TOUCHSTONE_PARAMETERS).note)";
const ORIGIN = 'http://outside.localhost';

interface Setting {
  how?: string;
  reset?: string | string[];
  timeoutMs?: number;
  parameters?: Record<string, string>;
  port?: number;
  gets?: { clock_env?: string; faketime?: boolean };
  clock?: string;
  impatient?: boolean;
}

async function started({ how = 'works', reset, timeoutMs = 20_000, impatient, ...setting }: Setting = {}) {
  const { parameters = {}, port, gets, clock } = setting;
  const folder = path.join(await temporaryFolder(), 'app');
  await mkdir(folder);
  await writeFile(path.join(folder, 'server.cjs'), SERVER);
  const command = [process.execPath, 'server.cjs', '{{port}}', how];
  const program = { command, env: { PORT: '{{port}}' }, ready: '/ready', state: '/__state', reset, port, ...gets };
  const create = outsideApp({ origin: ORIGIN, folder, app: program, startTimeoutMs: timeoutMs, impatient });
  const app = await (clock === undefined ? create(parameters) : create(parameters, timeOf(startClock(clock))));
  return { app, folder, [Symbol.asyncDispose]: async () => await app.close?.() };
}

/** The error of a program that does not start. On a slow machine it has twice the time, until its error shows that it began. */
async function failureOf(setting: Setting, begun: RegExp, timeoutMs = 1_000): Promise<unknown> {
  const error: unknown = await started({ ...setting, timeoutMs }).catch((reason: unknown) => reason);
  const isOfBegun = error instanceof WorldError && begun.test(JSON.stringify(error.params));
  return isOfBegun || timeoutMs > 60_000 ? error : await failureOf(setting, begun, timeoutMs * 2);
}

async function text(app: App, at: string, init?: RequestInit): Promise<string> {
  const response = await app.fetch(new Request(ORIGIN + at, init));
  return await response.text();
}

const foldersLeft = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`touchstone-app-${process.pid}-`));

/** Empty when there is no such process, or one whose end is not yet collected. */
function commandLine(pid: number): string {
  return existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
}

describe('an app in any language', () => {
  test('answers for its origin, and gives the judge its state', async () => {
    await using served = await started();
    expect(JSON.parse(await text(served.app, '/'))).toEqual({ note: 'as started', host: 'outside.localhost' });
    await text(served.app, '/', { method: 'POST', body: 'changed' });
    expect(await served.app.state()).toEqual({ note: 'changed', host: 'outside.localhost' });
  });

  test('begins as its reset sets it: a path that gets the parameters, or a command before it', async () => {
    const parameters = { note: 'of this instance' };
    await using posted = await started({ reset: '/__reset', parameters });
    expect(await posted.app.state()).toMatchObject(parameters);
    await using laid = await started({ reset: [process.execPath, '-e', LAYS], parameters });
    expect(await laid.app.state()).toMatchObject(parameters);
  });

  test('writes into a copy of its folder, and sees nothing of our environment but the path to programs', async () => {
    await using served = await started();
    await text(served.app, '/write');
    await using other = await started();
    expect(await other.app.state()).toMatchObject({ note: 'as started' });
    const { names, port } = JSON.parse(await text(served.app, '/env'));
    expect(port).toMatch(/^\d+$/);
    const known = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'NODE_ENV', 'PORT'];
    expect(names.toSorted()).toEqual(
      [...known, 'TOUCHSTONE_MARK', 'TOUCHSTONE_PARAMETERS', 'TOUCHSTONE_SECRET'].toSorted(),
    );
  });

  test('finds nothing foreign in its copy', async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, 'docs/old'), { recursive: true });
    for (const name of ['README.md', 'docs/a.md', 'docs/b.md', 'docs/b.zip', 'docs/old/README.md'])
      await writeFile(path.join(folder, name), '');
    const lists = `require('node:http')
      .createServer((_, response) => response.end(JSON.stringify(require('node:fs').readdirSync('.', { recursive: true }))))
      .listen(Number(process.env.PORT), '127.0.0.1')`;
    const command = [process.execPath, '-e', lists];
    const program = {
      command,
      env: { PORT: '{{port}}' },
      ready: '/',
      leave_out: ['README.md', 'docs/a.md', 'docs/old/'],
    };
    const leftOut = (place: string, is: 'file' | 'folder') => is === 'file' && place.endsWith('.zip');
    const app = await outsideApp({ origin: ORIGIN, folder, app: program, leftOut })({});
    try {
      expect(JSON.parse(await text(app, '/'))).toEqual(['docs', 'docs/b.md']);
    } finally {
      await app.close?.();
    }
  });

  test('ends with all its processes, and its folder with it', async () => {
    const before = foldersLeft();
    const { app } = await started();
    const child = Number(await text(app, '/child'));
    expect(commandLine(child)).toContain('setInterval');
    await app.close?.();
    await expect.poll(() => commandLine(child)).toBe('');
    expect(foldersLeft()).toEqual(before);
  });

  test.each([
    ['breaks', 'app_program_ended', /no database/, { output: ['no database today'] }],
    [
      'is never ready',
      'app_not_answering',
      /"status":503/,
      { ready: '/ready', status: 503, output: ['listening soon'] },
    ],
    ['is silent', 'app_not_listening', /listening soon/, { elsewhere: '', output: ['listening soon'] }],
  ])('that %s is an error with its output, and leaves nothing', async (how, code, begun, params) => {
    const before = foldersLeft();
    expect(await failureOf({ how }, begun)).toMatchObject({ code, params });
    expect(foldersLeft()).toEqual(before);
  });

  test('is ready when it leads on to another page, as to a form for signing in', async () => {
    await using served = await started({ how: 'leads on' });
    expect(await served.app.state()).toMatchObject({ note: 'as started' });
  });

  test.runIf(process.platform === 'linux')('is soon an error if it keeps refusing, when we are impatient', async () => {
    const failure = started({ how: 'refuses', impatient: true, timeoutMs: 600_000 });
    await expect(failure).rejects.toMatchObject({ code: 'app_not_answering', params: { status: 404 } });
  });

  test.runIf(process.platform === 'linux')('is an error if it listens at another port, with that port', async () => {
    expect(await failureOf({ how: 'listens elsewhere' }, /"elsewhere":"\d+"/)).toMatchObject({
      code: 'app_not_listening',
      params: { elsewhere: expect.stringMatching(/^\d+$/) },
    });
  });

  test('is asked at the port that it declares if it cannot be given one', async () => {
    const port = await freePort();
    const { app } = await started({ port });
    expect(JSON.parse(await text(app, '/env'))).toMatchObject({ port: String(port) });
    await app.close?.();
    const failure = await failureOf({ how: 'listens elsewhere', port }, /listening soon/);
    expect(failure).toMatchObject({ code: 'app_not_listening', params: { port } });
  });

  test.each<[string, number, string[], string]>([
    ['fails', 20_000, ['-e', "console.error('no seed'); process.exit(4)"], 'its reset ended with 4: no seed'],
    ['hangs', 500, ['-e', 'setInterval(() => {}, 1000)'], 'its reset took longer than 500 ms'],
  ])('is an error if its reset %s, and leaves nothing', async (_, timeoutMs, args, message) => {
    const before = foldersLeft();
    await expect(started({ reset: [process.execPath, ...args], timeoutMs })).rejects.toThrow(message);
    expect(foldersLeft()).toEqual(before);
  });

  test('has no state if that is not JSON', async () => {
    await using served = await started({ reset: '/__reset', parameters: { note: 'nothing' } });
    await expect(served.app.state()).rejects.toThrow('not valid JSON');
  });

  test.each([
    ['nodee', '; did you mean "node"?'],
    ['nobody-has-such-a-program', ''],
  ])('is not there if it is called %s', (program, meant) => {
    const made = () => outsideApp({ origin: ORIGIN, folder: '.', app: { command: [program], env: {}, ready: '/' } });
    expect(made).toThrow(
      expect.objectContaining({ code: 'app_program_missing', params: { origin: ORIGIN, program, meant } }),
    );
  });

  test('is started without a shell', async () => {
    const folder = await temporaryFolder();
    const app = { command: ['true; touch /tmp/by-a-shell'], env: {}, ready: '/', state: '/__state' };
    expect(() => outsideApp({ origin: ORIGIN, folder, app: { ...app, command: ['true; id'] } })).toThrow(
      expect.objectContaining({ code: 'app_program_missing' }),
    );
    await expect(outsideApp({ origin: ORIGIN, folder, app })({})).rejects.toThrow('ENOENT');
    expect(existsSync('/tmp/by-a-shell')).toBe(false);
  });
});

test('a browser neither reads nor resets its state', async () => {
  await using served = await started({ reset: '/__reset', parameters: { note: 'secret' } });
  const init = { method: 'POST', body: '{"note":"forged"}' };
  for (const at of ['/__state', '/__reset', '//__RESET']) expect(await text(served.app, at, init)).toBe('not found');
  expect(await served.app.state()).toMatchObject({ note: 'secret' });
});

/** Listens, prints its port, and never accepts a connection: its one thread waits forever. */
const ACCEPTS_NOTHING = `
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

test('a program that listens without accepting is soon distinguished from one that does not listen', async () => {
  const child = spawn(process.execPath, ['-e', ACCEPTS_NOTHING], { stdio: ['ignore', 'pipe', 'inherit'] });
  const queued: net.Socket[] = [];
  try {
    const [said] = await once(child.stdout, 'data');
    const port = Number(said);
    for (let count = 0; count < 8; count += 1) {
      queued.push(net.connect({ port, host: '127.0.0.1' }).on('error', () => {}));
    }
    expect(await isListening(port)).toBe(true);
  } finally {
    for (const socket of queued) socket.destroy();
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

describe('the clock of a task', () => {
  const clock = '2019-03-04T10:00:00+01:00';

  test('is in the variable that the program names, in UTC', async () => {
    await using served = await started({ gets: { clock_env: 'CLOCK' }, clock });
    expect(JSON.parse(await text(served.app, '/env'))).toMatchObject({ clock: '2019-03-04T09:00:00.000Z' });
  });

  test('is not passed to a program without one', async () => {
    await using deaf = await started({ clock });
    await using other = await started({ gets: { clock_env: 'CLOCK', faketime: true } });
    for (const { app } of [deaf, other]) {
      const { clock: given, names, now } = JSON.parse(await text(app, '/env'));
      expect([given, names.includes('FAKETIME')]).toEqual([undefined, false]);
      expect(new Date(now).getFullYear()).toBeGreaterThan(2019);
    }
  });

  test('is what the program reads from the system, if libfaketime is installed, and else an error', async () => {
    const seen = started({ gets: { faketime: true }, clock }).then(
      async (program) => {
        await using served = program;
        const { now } = JSON.parse(await text(served.app, '/env'));
        return new Date(now).toISOString();
      },
      ({ code }) => code,
    );
    expect(await seen).toMatch(libfaketime() === null ? /^faketime_missing$/ : /^2019-03-04T09:0/);
  });

  test('by libfaketime: a machine without it starts no such program', async () => {
    vi.stubEnv('TOUCHSTONE_LIBFAKETIME', '/nowhere/libfaketime.so.1');
    await expect(started({ gets: { faketime: true }, clock })).rejects.toMatchObject({ code: 'faketime_missing' });
    vi.unstubAllEnvs();
  });
});
