import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { prepareLaunch } from '../../../src/process/sandbox/launch.ts';
import { mcpSurface } from '../../../src/surface/mcp/mcp-surface.ts';
import type { SurfaceSession } from '../../../src/surface/surface.ts';
import type { ServerFile } from '../../../src/surface/mcp/server-file.ts';
import { wellFormed } from '../../../src/contract/strings.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { processesWith } from '../../process/processes-with.ts';
import { asOrdinaryUser } from '../../process/ordinary-user.ts';
import { smallServer, STARTED_BY_IT } from './small-server.ts';

/** Nothing listens on this port, which is not an ephemeral one. */
const SEAT = { cdpUrl: 'http://127.0.0.1:4909', cdpPort: 4909, tabs: () => [] };
const NEVER = new AbortController().signal;
const opened: SurfaceSession[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
});

/** The small server, which without a browser can be asked for little more than an echo. */
async function openWith(fault?: string, changes?: Partial<ServerFile['server']>, signal = NEVER, canSandbox?: boolean) {
  const homes: string[] = [];
  const file = await smallServer(fault, { ready: [], ...changes });
  const surface = mcpSurface(file, async (confinedIn, cdpUrl, hidden) => {
    const launch = await prepareLaunch(confinedIn, cdpUrl, hidden, canSandbox);
    homes.push(launch.home.here);
    return launch;
  });
  const session = await surface.open(SEAT, signal);
  opened.push(session);
  const call = (tool: string, args: Record<string, string> = {}, cancel = NEVER) =>
    session.call({ tool, args }, cancel);
  return { session, call, home: homes[0] ?? '' };
}

const VARIABLES = ['HOME', 'LANG', 'OTHER_API_KEY', 'PATH', 'TMPDIR', 'TOUCHSTONE_MARK'];

/** The processes that servers have started and not ended. */
function leftBehind(): string[] {
  return processesWith(STARTED_BY_IT).filter((line) => line.includes('setInterval'));
}

test('the surface has all tools of the server', async () => {
  const { session } = await openWith();
  expect(session.tools.map(({ name }) => name)).toEqual(['send', 'echo', 'where', 'look', 'press', 'more']);
});

test('a server whose package is installed next to its file is run, and can read the modules there', async () => {
  const { file, server } = await smallServer('none', { ready: [] });
  const program = await readFile(path.join(path.dirname(file), 'server.mjs'), 'utf8');
  const folder = await temporaryFolder();
  const packages = { 'small-mcp': program, ws: 'export const WebSocket = null;' };
  for (const [name, script] of Object.entries(packages)) {
    const installed = path.join(folder, 'node_modules', name);
    await mkdir(installed, { recursive: true });
    await writeFile(path.join(installed, 'package.json'), '{"version":"1.0.0","main":"server.mjs"}');
    await writeFile(path.join(installed, 'server.mjs'), script);
  }
  const launch = { by: 'package', name: 'small-mcp', script: 'server.mjs' } as const;
  const surface = mcpSurface({ file: path.join(folder, 'small.yaml'), server: { ...server, launch } });
  const session = await surface.open(SEAT, NEVER);
  opened.push(session);
  expect(await session.call({ tool: 'echo', args: { text: 'hello' } }, NEVER)).toMatchObject({ text: 'hello' });
});

test('five hundred tools are five hundred tools', async () => {
  const { session } = await openWith('lists many tools');
  expect(session.tools).toHaveLength(506);
});

test.each(['announces before its reply', 'announces after its reply'])(
  'tools of a server that %s are the surface’s before the next move',
  async (when) => {
    const { session, call } = await openWith(when);
    const before = session.tools;
    await call('echo', { text: 'nothing new' });
    await session.refresh?.();
    expect(session.tools).toBe(before);
    await call('more');
    await expect
      .poll(async () => {
        await session.refresh?.();
        return session.tools.map(({ name }) => name);
      })
      .toEqual([...before.map(({ name }) => name), 'one-more']);
  },
);

test('a list that does not come leaves the old one, and the call succeeds', async () => {
  const { session, call } = await openWith('lists its tools once');
  const before = session.tools;
  expect(await call('more')).toMatchObject({ ok: true, text: 'there is one more tool now' });
  await session.refresh?.();
  expect(session.tools).toBe(before);
});

test('a surface has the version of its server', async () => {
  const { session } = await openWith();
  expect(session.version).toBe('small 1.0.0');
});

test('a step whose tool the server lacks names the tool and its nearest', async () => {
  const binding = (tool: string) => ({ look: { tool: 'look', args: {} }, go: { tool, args: {} }, elements: [] });
  const goThrough = async (tool: string) => {
    const { session } = await openWith('none', { binding: binding(tool) });
    return await session.bind({ do: 'go', url: 'http://a.test/' }, null);
  };
  expect(await goThrough('ecko')).toEqual({
    kind: 'impossible',
    why: 'the server has no tool "ecko"; did you mean "echo"?',
  });
  expect(await goThrough('echo')).toMatchObject({ kind: 'call' });
});

test('an argument is a number if the tool wants one', async () => {
  const click = { tool: 'echo', args: { text: '{{ref}}', times: '{{ref}}' } };
  const binding = { look: { tool: 'look', args: {} }, click, elements: ['^(?<ref>\\d+) (?<role>\\w+) (?<name>.*)$'] };
  const { session } = await openWith('none', { binding });
  const shown = { ok: true, kind: 'text', text: '3 button Send' };
  expect(await session.bind({ do: 'click', role: 'button', name: 'Send' }, shown)).toEqual({
    kind: 'call',
    call: { tool: 'echo', args: { text: '3', times: 3 } },
  });
});

test('a call returns the reply of the server', async () => {
  const { call } = await openWith();
  expect(await call('echo', { text: 'hello' })).toMatchObject({ ok: true, kind: 'text', text: 'hello' });
});

test('a server works in its own home, sees only the named part of our environment, and leaves nothing', async () => {
  process.env['SOME_API_KEY'] = 'secret';
  process.env['OTHER_API_KEY'] = 'secret';
  const { session, call, home } = await openWith('none', { secrets: ['OTHER_API_KEY'] });
  delete process.env['SOME_API_KEY'];
  delete process.env['OTHER_API_KEY'];
  const { cwd, environment } = JSON.parse((await call('where')).text);
  // A sandbox sets PWD.
  const seen = z.array(z.string()).parse(environment);
  expect(seen.filter((name) => name !== 'PWD')).toEqual(VARIABLES);
  expect(cwd).toBe(session.isolation?.by === 'bubblewrap' ? '/tmp' : home);
  expect(existsSync(home)).toBe(true);
  await session.close();
  expect(existsSync(home)).toBe(false);
});

test('processes of a server end with it, detached or not', async () => {
  const { session } = await openWith();
  await expect.poll(leftBehind).toHaveLength(2);
  await session.close();
  expect(leftBehind()).toEqual([]);
});

test('a server that is ended while it starts leaves neither processes nor home', async () => {
  const controller = new AbortController();
  const opening = openWith('never answers', {}, controller.signal);
  await expect.poll(leftBehind).toHaveLength(2);
  controller.abort(new Error('nobody waits any more'));
  await expect(opening).rejects.toThrow('the server small did not start: nobody waits any more');
  expect(leftBehind()).toEqual([]);
  await expect(openWith('none', {}, controller.signal)).rejects.toThrow('nobody waits any more');
});

test('a home with read-only folders is removed without an error', async () => {
  await asOrdinaryUser(async () => {
    // We only act the part: the system does not let us look into what would be left of a server.
    const { session, call, home } = await openWith('starts nothing', {}, NEVER, false);
    expect(await call('lock')).toMatchObject({ ok: true, text: 'locked' });
    expect(existsSync(path.join(home, 'locked'))).toBe(true);
    await session.close();
    expect(existsSync(home)).toBe(false);
  });
});

describe('a server that', () => {
  test('crashes at its start is named, with its error output', async () => {
    await expect(openWith('crashes at its start')).rejects.toThrow(
      /^the server small did not start: .*it printed: no licence was found$/s,
    );
  });

  test('never answers did not start', async () => {
    await expect(openWith('never answers', { start_timeout_ms: 500 })).rejects.toThrow(
      'the server small did not start: it was not ready within 500 ms',
    );
  });

  test('lists tools without end did not start', async () => {
    const opening = openWith('lists tools without end', { start_timeout_ms: 5_000 });
    await expect(opening).rejects.toThrow('the server small did not start');
  });

  test('lists too much for a bundle did not start', async () => {
    const opening = openWith('lists what no bundle could hold');
    await expect(opening).rejects.toThrow(/did not start: its list of tools has 5\d+ characters, more than 4194304/);
  });

  test('has a very long version keeps its beginning, in whole characters', async () => {
    const { session } = await openWith('says a very long version');
    expect(session.version).toMatch(/^small (?:🎈)+.?$/u);
    expect(session.version).toHaveLength(200);
    expect(session.version).toBe(wellFormed(session.version ?? ''));
  });

  test('describes its replies by a pathological pattern is not matched against it', async () => {
    const { call } = await openWith('describes its replies by a pattern');
    expect(await call('echo', { text: 'aaaa!' })).toMatchObject({ ok: true, text: 'done' });
  });

  test('is not ready did not start, with its reply', async () => {
    const look = { tool: 'look', args: {} };
    const echo = { tool: 'echo', args: { text: 'here' } };
    await expect(openWith('none', { ready: [echo, look] })).rejects.toThrow('it is not ready, look replied:');
    await expect(openWith('none', { ready: [echo, echo] })).resolves.toBeDefined();
  });

  test.each([
    ['crashes in a call', /out of cheese/],
    ['replies with another shape', /./],
    ['floods', /./],
    ['asks, and does not read what it is answered', /./],
  ])('%s gives an error and no reply', async (fault, text) => {
    const { call } = await openWith(fault);
    const reply = await call('echo', { text: 'hello' });
    expect(reply).toMatchObject({ ok: false, kind: 'error' });
    expect(reply.text).toMatch(text);
  });

  test('sends a deeply nested reply to no call loses that reply alone', async () => {
    const { call } = await openWith('replies to nobody, in great depth');
    expect(await call('echo')).toMatchObject({ ok: true, text: 'and then to you' });
  });

  test('floods with messages delays no rival', async () => {
    const [flooding, rival] = [await openWith('floods with messages'), await openWith()];
    const cancel = new AbortController();
    let isAnswered = false;
    const flooded = flooding.call('echo', {}, cancel.signal).then((reply) => {
      isAnswered = true;
      return reply;
    });
    for (let calls = 0; calls < 100; calls += 1)
      expect(await rival.call('echo', { text: 'here' })).toMatchObject({ ok: true });
    expect(isAnswered).toBe(false);
    cancel.abort();
    expect(await flooded).toMatchObject({ ok: false });
  });

  test('has crashed answers every later call with an error at once, even if its output stays open', async () => {
    const { call } = await openWith('crashes in a call');
    await call('echo');
    expect(await call('echo')).toMatchObject({
      ok: false,
      kind: 'error',
      text: expect.stringContaining('out of cheese'),
    });
    expect(leftBehind()).toEqual([]);
  });

  test('replies with no JSON keeps a call waiting until it is cancelled', async () => {
    const { call } = await openWith('replies with no JSON');
    expect(await call('echo', {}, AbortSignal.timeout(300))).toMatchObject({ ok: false });
  });
});
