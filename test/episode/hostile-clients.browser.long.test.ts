import { expect, test } from 'vitest';
import { z } from 'zod';
import type { SelfDrivingAgent } from '../../src/agent/agent.ts';
import { requireBrowser } from '../../src/browser/find.ts';
import { launchBrowser } from '../../src/browser/launch.ts';
import { ownSurface } from '../../src/surface/surface-ids.ts';
import { RawClient } from '../browser/gateway/raw-client.ts';
import { sharedIdentity } from '../shared-browser.ts';
import { type Performance, stage } from './staged-episode.ts';

type Command = [method: string, params?: object];
const run = (expression: string): Command => ['Runtime.evaluate', { expression }];

/** Commands by which a client could keep the judge from seeing the page, or from coming to an end. */
const CLIENTS: Record<string, Command[]> = {
  'stops the virtual time': [['Emulation.setVirtualTimePolicy', { policy: 'pause' }]],
  'lets the virtual time run ahead': [['Emulation.setVirtualTimePolicy', { policy: 'advance', budget: 1e9 }]],
  'freezes the page': [['Page.setWebLifecycleState', { state: 'frozen' }]],
  'pauses in the debugger': [['Debugger.enable'], run('debugger')],
  'pauses at every exception': [
    ['Debugger.enable'],
    ['Debugger.setPauseOnExceptions', { state: 'all' }],
    run('setInterval(() => { throw new Error("no") }, 1)'),
  ],
  'pauses and lets no script go on': [
    ['Debugger.enable'],
    ['Debugger.pause'],
    ['Emulation.setScriptExecutionDisabled', { value: true }],
    ['Page.reload'],
  ],
  'slows the processor down a million times': [
    ['Emulation.setCPUThrottlingRate', { rate: 1e6 }],
    run('setInterval(() => { document.body.append("x") }, 1)'),
  ],
  'holds up every request': [['Fetch.enable'], ['Page.reload']],
  'cuts the network': [
    ['Network.enable'],
    ['Network.emulateNetworkConditions', { offline: true, latency: 1e9, downloadThroughput: 0, uploadThroughput: 0 }],
    ['Page.reload'],
  ],
  'makes the page ten million pixels wide': [
    [
      'Emulation.setDeviceMetricsOverride',
      { width: 10_000_000, height: 10_000_000, deviceScaleFactor: 10, mobile: false },
    ],
    ['Page.captureScreenshot', { captureBeyondViewport: true }],
  ],
  'asks for all that takes long at once': [
    ['HeapProfiler.enable'],
    ['Profiler.enable'],
    ['Profiler.setSamplingInterval', { interval: 1 }],
    ['Profiler.start'],
    ['Page.startScreencast', { format: 'png', everyNthFrame: 1 }],
    ['HeapProfiler.takeHeapSnapshot', { reportProgress: true }],
    ['Page.printToPDF'],
    ['Input.synthesizeScrollGesture', { x: 1, y: 1, yDistance: -1e6, speed: 1, repeatCount: 1e6 }],
  ],
  'blocks the thread of the page': [run('for (;;);')],
  'closes the page': [['Page.close']],
  'goes back and forth for ever': [
    run('for (const at of "abc") history.pushState(null, "", `?${at}`)'),
    run('setInterval(() => { history.back(); setTimeout(() => history.forward(), 3) }, 7)'),
  ],
};

/** Sends these commands to the page, and reports done without waiting for replies that never come. */
function client(commands: readonly Command[]): SelfDrivingAgent {
  return {
    id: 'client',
    decider: 'process',
    drive: async ({ cdpUrl }, report) => {
      report({ kind: 'begun' });
      const Targets = z.array(z.object({ webSocketDebuggerUrl: z.string() }));
      const [target] = Targets.parse(await (await fetch(`${cdpUrl}/json/list`)).json());
      const raw = await RawClient.connect(target?.webSocketDebuggerUrl ?? '');
      for (const [method, params] of commands) raw.send(method, params);
      // The last command is answered only once all before it were taken.
      raw.send('Browser.getVersion');
      await raw.settled(1);
      report({ kind: 'ended' });
      return { kind: 'done', answer: null };
    },
  };
}

async function episodeOf(commands: readonly Command[], heading: string): Promise<Performance> {
  const { spki } = await sharedIdentity();
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: spki });
  try {
    let asked = 0;
    const page = (): Response => {
      asked += 1;
      const text = asked === 1 ? 'Open' : heading;
      return new Response(`<!doctype html><h1>${text}</h1>`, { headers: { 'content-type': 'text/html' } });
    };
    const setup = { surface: ownSurface('test'), browser };
    const success = { kind: 'dom_text', selector: 'h1', contains: 'Done', fresh: true } as const;
    const task = { success, maxDurationMs: 15_000 };
    return await stage({ task, pages: { '/': page }, agent: client(commands), setup });
  } finally {
    await browser.close();
  }
}

test.each(Object.keys(CLIENTS))('a client that %s gains no pass and no second attempt', async (name) => {
  const { result } = await episodeOf(CLIENTS[name] ?? [], 'Open');
  expect(['failed', 'inconclusive', 'agent_error']).toContain(result.status);
});

test.each(['stops the virtual time', 'freezes the page', 'pauses and lets no script go on'])(
  'commands of a client that %s are refused and named in a whole episode, and are no violation',
  async (name) => {
    const { result, events } = await episodeOf(CLIENTS[name] ?? [], 'Done');
    const refused = ['Emulation.setVirtualTimePolicy', 'Page.setWebLifecycleState', 'Debugger.pause'];
    const told = events.flatMap((event) => (event.type === 'gateway' ? Object.keys(event.refused) : []));
    expect(told).toEqual([expect.toBeOneOf(refused)]);
    expect(result).toMatchObject({ status: 'passed', violations: {} });
  },
);

const OVERRIDDEN = ['pauses in the debugger', 'slows the processor down a million times', 'holds up every request'];

test.each(OVERRIDDEN)('the judge sees the page that a client that %s has left: the right one passes', async (name) => {
  const { result } = await episodeOf(CLIENTS[name] ?? [], 'Done');
  expect(result.status).toBe('passed');
});
