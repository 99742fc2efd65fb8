import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { mcpSurface } from '../../../src/surface/mcp/mcp-surface.ts';
import type { SurfaceSession } from '../../../src/surface/surface.ts';
import { programOf } from '../../../src/surface/mcp/tool-server.ts';

const SCRIPT = fileURLToPath(new URL('fixtures/server.mjs', import.meta.url));
const SEAT = { cdpUrl: 'http://127.0.0.1:1', cdpPort: 1 };
const opened: SurfaceSession[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
});

function surfaceWith(fault = 'none', startTimeoutMs = 30_000) {
  const program = { script: SCRIPT, version: 'small 1.0.0' };
  const bind = () => ({ kind: 'impossible', why: 'a test binds nothing' }) as const;
  return mcpSurface({ id: 'small', program, args: ['{{cdpUrl}}', fault], bind }, startTimeoutMs);
}

async function openWith(fault?: string) {
  const session = await surfaceWith(fault).open(SEAT);
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
  expect(session.tools.map(({ name }) => name)).toEqual(['send', 'echo', 'where']);
});

test('five hundred tools are five hundred tools', async () => {
  const { session } = await openWith('lists many tools');
  expect(session.tools).toHaveLength(503);
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
    await expect(surfaceWith('crashes at its start').open(SEAT)).rejects.toThrow(
      /^the server small did not start: .*it said: no licence was found$/s,
    );
  });

  test('never answers did not start', async () => {
    await expect(surfaceWith('never answers', 500).open(SEAT)).rejects.toThrow('the server small did not start');
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

  test('replies with no JSON keeps a call waiting until it is cancelled', async () => {
    const { call } = await openWith('replies with no JSON');
    expect(await call('echo', {}, AbortSignal.timeout(300))).toMatchObject({ ok: false });
  });
});

test('a package that is not installed is unavailable, and it is said what to do', () => {
  const program = programOf('@nobody/has-this', 'cli.js');
  const surface = mcpSurface({ id: 'none', program, args: [], bind: () => ({ kind: 'impossible', why: '' }) });
  expect(surface.unavailable).toBe('@nobody/has-this is not installed; run "npm install @nobody/has-this"');
});
