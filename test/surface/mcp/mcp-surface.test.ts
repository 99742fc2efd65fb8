import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { mcpSurface } from '../../../src/surface/mcp/mcp-surface.ts';
import type { SurfaceSession } from '../../../src/surface/surface.ts';
import type { ServerFile } from '../../../src/surface/mcp/server-file.ts';
import { smallServer } from './small-server.ts';

const SEAT = { cdpUrl: 'http://127.0.0.1:1', cdpPort: 1 };
const opened: SurfaceSession[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
});

/** The small server, which without a browser can be asked for little more than an echo. */
async function openWith(fault?: string, changes?: Partial<ServerFile['server']>) {
  const session = await mcpSurface(await smallServer(fault, { ready: undefined, ...changes })).open(SEAT);
  opened.push(session);
  const call = (tool: string, args: Record<string, string> = {}, signal = new AbortController().signal) =>
    session.call({ tool, args }, signal);
  return { session, call };
}

/** Processes of this machine whose command line holds a word, and whose working folder is a tool's. */
async function leftBehind(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes('touchstone-left-behind'));
}

test('all the tools that a server lists are the surface’s', async () => {
  const { session } = await openWith();
  expect(session.tools.map(({ name }) => name)).toEqual(['send', 'echo', 'where', 'look', 'press', 'more']);
});

test('five hundred tools are five hundred tools', async () => {
  const { session } = await openWith('lists many tools');
  expect(session.tools).toHaveLength(506);
});

test('tools that a server offers later are the surface’s then', async () => {
  const { session, call } = await openWith();
  const before = session.tools;
  await call('echo', { text: 'nothing new' });
  expect(session.tools).toBe(before);
  await call('more');
  expect(session.tools.map(({ name }) => name)).toEqual([...before.map(({ name }) => name), 'one-more']);
});

test('a surface has the version that its server says', async () => {
  const { session } = await openWith();
  expect(session.version).toBe('small 1.0.0');
});

test('a call gives what the server replies', async () => {
  const { call } = await openWith();
  expect(await call('echo', { text: 'hello' })).toEqual({ ok: true, kind: 'text', text: 'hello' });
});

test('a server works in a home of its own, sees nothing of our environment, and leaves nothing', async () => {
  process.env['SOME_API_KEY'] = 'secret';
  const { session, call } = await openWith();
  delete process.env['SOME_API_KEY'];
  const { cwd, environment } = JSON.parse((await call('where')).text);
  expect(environment).toEqual(['HOME', 'LANG', 'PATH', 'TMPDIR']);
  expect(existsSync(cwd)).toBe(true);
  await session.close();
  expect(existsSync(cwd)).toBe(false);
});

test('what a server has started ends with it', async () => {
  const { session } = await openWith();
  await expect.poll(leftBehind, { timeout: 60_000 }).not.toEqual([]);
  await session.close();
  await expect.poll(leftBehind, { timeout: 60_000 }).toEqual([]);
});

describe('a server that', () => {
  test('crashes at its start is named, with what it said', async () => {
    await expect(openWith('crashes at its start')).rejects.toThrow(
      /^the server small did not start: .*it said: no licence was found$/s,
    );
  });

  test('never answers did not start', async () => {
    await expect(openWith('never answers', { start_timeout_ms: 500 })).rejects.toThrow(
      'the server small did not start',
    );
  });

  test('lists tools without end did not start', async () => {
    await expect(openWith('lists tools without end')).rejects.toThrow('the server small did not start');
  });

  test('is not ready did not start, and what it says is told', async () => {
    const ready = { tool: 'look', args: {} };
    await expect(openWith('none', { ready })).rejects.toThrow('it is not ready, look says:');
    await expect(openWith('none', { ready: { tool: 'echo', args: { text: 'here' } } })).resolves.toBeDefined();
  });

  test.each([
    ['crashes in a call', /out of cheese/],
    ['replies with another shape', /./],
    ['floods', /./],
  ])('%s gives an error and no reply', async (fault, text) => {
    const { call } = await openWith(fault);
    const reply = await call('echo', { text: 'hello' });
    expect(reply).toMatchObject({ ok: false, kind: 'error' });
    expect(reply.text).toMatch(text);
  });

  test('replies to nobody, in great depth, ends nothing but that reply', async () => {
    const { call } = await openWith('replies to nobody, in great depth');
    expect(await call('echo')).toMatchObject({ ok: true, text: 'and then to you' });
  });

  test('replies with no JSON keeps a call waiting until it is cancelled', async () => {
    const { call } = await openWith('replies with no JSON');
    expect(await call('echo', {}, AbortSignal.timeout(300))).toMatchObject({ ok: false });
  });
});
