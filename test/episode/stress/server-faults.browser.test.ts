import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requireBrowser } from '../../../src/browser/find.ts';
import { launchBrowser } from '../../../src/browser/launch.ts';
import { ArmedFault } from '../../../src/fault/schema.ts';
import type { EndpointSurface } from '../../../src/surface/surface.ts';
import { mcpSurface } from '../../../src/surface/mcp/mcp-surface.ts';
import type { TaskInput } from '../../../src/task/schema.ts';
import { NEVER } from '../../agent/seat.ts';
import { sharedIdentity } from '../../shared-browser.ts';
import { smallServer, STARTED_BY_IT } from '../../surface/mcp/small-server.ts';
import { call, moves, type Performance } from '../staged-episode.ts';
import { faultEvents, replies, faulty } from './faulty-episode.ts';

const small = mcpSurface(await smallServer());
/** It opens another connection for each call: one that is closed is none to be cut. */
const connected = mcpSurface(await smallServer('leaves its connections open'));
const echo = (text: string) => call('echo', { text });
const LOOK = call('look');

async function through(
  kind: string,
  more: Record<string, number> = {},
  surface: EndpointSurface = small,
  task: Partial<TaskInput> = {},
): Promise<Performance> {
  const { spki } = await sharedIdentity();
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: spki });
  try {
    const fault = ArmedFault.parse({ id: 'f', kind, call: 2, ms: 100, ...more });
    const agent = moves(LOOK, echo('one'), echo('two'), LOOK);
    return await faulty(fault, { task, agent, setup: { surface, browser } });
  } finally {
    await browser.close();
  }
}

test('server_killed: the call in the middle fails, and the restarted server answers the next', async () => {
  const performance = await through('server_killed');
  expect(replies(performance)).toEqual([
    expect.stringMatching(/^ok: 0 is a button/),
    expect.stringMatching(/^error: the tool server ended in the call, and was started again/),
    'ok: two',
    expect.stringMatching(/^ok: 0 is a button/),
  ]);
  expect(faultEvents(performance)).toMatchObject([
    { type: 'fault.armed' },
    { type: 'fault.fired', proof: { call: 2 } },
    { type: 'fault.cleared', by: 'harness' },
  ]);
});

/** The small server, which runs the second time but is not there until its episode wants no more of it. */
function slowToComeBack(): EndpointSurface {
  let starts = 0;
  return {
    ...small,
    open: async (seat, signal) => {
      starts += 1;
      if (starts === 1) return await small.open(seat, signal);
      const session = await small.open(seat, NEVER);
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => {
          resolve();
        });
      });
      return session;
    },
  };
}

function smallServersLeft(): string[] {
  const lines = readdirSync('/proc').flatMap((id) => {
    try {
      return /^\d+$/.test(id) ? [readFileSync(`/proc/${id}/cmdline`, 'utf8')] : [];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
  return lines.filter((line) => line.includes(STARTED_BY_IT));
}

test('server_killed: a server restarting at the wall cap is not left behind or reported later', async () => {
  const performance = await through('server_killed', { call: 1 }, slowToComeBack(), { maxDurationMs: 3_000 });
  expect(smallServersLeft()).toEqual([]);
  expect(performance.result).toMatchObject({ status: 'timeout', faults: [{ fired: true, cleared: false }] });
  expect(faultEvents(performance)).toMatchObject([{ type: 'fault.armed' }, { type: 'fault.fired' }]);
});

test('call_hung: the call has no effect, and the next one has its full effect', async () => {
  const performance = await through('call_hung');
  expect(replies(performance).slice(1, 3)).toEqual(['error: the tool server has not answered the call', 'ok: two']);
  expect(performance.result.faults).toMatchObject([{ fired: true, cleared: true }]);
});

test('malformed_reply: the call was made, and its reply is lost', async () => {
  const performance = await through('malformed_reply');
  expect(replies(performance)[1]).toBe('error: the surface returned a malformed reply');
  expect(performance.result.faults).toMatchObject([{ fired: true, cleared: true }]);
});

test('connection_cut: the server loses its connection, and a new one recovers it', async () => {
  const performance = await through('connection_cut', {}, connected);
  expect(faultEvents(performance)).toMatchObject([
    { type: 'fault.armed' },
    { type: 'fault.fired', proof: { command: 'the gateway ended the connections' } },
    { type: 'fault.cleared', by: 'agent' },
  ]);
});

test('a fault in a call that is never made does not fire', async () => {
  const { result } = await through('server_killed', { call: 9 });
  expect(result.faults).toMatchObject([{ armed: true, fired: false, cleared: false }]);
});
