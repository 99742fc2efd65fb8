import { expect, test } from 'vitest';
import type { Agent } from '../../src/agent/agent.ts';
import { requireBrowser } from '../../src/browser/find.ts';
import { launchBrowser } from '../../src/browser/launch.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import type { ContextSurface, SurfaceSession } from '../../src/surface/surface.ts';
import type { EpisodeSetup } from '../../src/episode/episode-setup.ts';
import { killFromOutside } from '../browser/traces.ts';
import { sharedIdentity } from '../shared-browser.ts';
import { heardSink } from './heard-sink.ts';
import { call, deciding, moves, refOf, stage } from './staged-episode.ts';

const BUTTON = "<h1>Open</h1><button onclick=\"document.querySelector('h1').textContent='Done'\">Finish</button>";
const finish = deciding((last, turn) => {
  if (turn === 0) return call('snapshot');
  return turn === 1 ? call('click', { ref: refOf(last, 'button "Finish"') }) : { kind: 'done', answer: null };
});

test('an agent that throws has its own status', async () => {
  const agent = deciding(() => Promise.reject(new Error('out of ideas')));
  const { result } = await stage({ task: {}, pages: { '/': BUTTON }, agent });
  expect(result).toMatchObject({ status: 'agent_error', detail: 'out of ideas' });
});

test('a surface that throws gives the agent an error, and does not end the episode', async () => {
  const throwing = {
    ...aria,
    open: async (seat: Parameters<typeof aria.open>[0]) => {
      const session = await aria.open(seat);
      return Object.assign(session, { call: () => Promise.reject(new Error('the surface broke')) });
    },
  };
  const { result } = await stage({
    task: {},
    pages: { '/': BUTTON },
    agent: moves(call('snapshot')),
    setup: { surface: throwing },
  });
  expect(result).toMatchObject({ status: 'failed', steps: 1, toolErrors: 1 });
});

test('a surface that does not open, or never does, is no infrastructure error', async () => {
  const broken = { ...aria, open: () => Promise.reject(new Error('no display')) };
  const { result, events } = await stage({
    task: {},
    pages: { '/': BUTTON },
    agent: moves(),
    setup: { surface: broken },
  });
  expect(result).toMatchObject({
    status: 'agent_error',
    detail: 'the surface could not be opened: no display',
    goal: 'fail',
    steps: 0,
  });
  expect(events.at(-4)).toMatchObject({ type: 'stop', stop: 'agent_error', broke: 'surface' });
});

test('a surface that breaks as it closes changes nothing', async () => {
  const breaking = {
    ...aria,
    open: async (seat: Parameters<typeof aria.open>[0]) =>
      Object.assign(await aria.open(seat), { close: () => Promise.reject(new Error('stuck')) }),
  };
  const { result } = await stage({ task: {}, pages: { '/': BUTTON }, agent: finish, setup: { surface: breaking } });
  expect(result.status).toBe('passed');
});

test('the version of a server is known even if it ended before the episode', async () => {
  const ending = {
    ...aria,
    open: async (seat: Parameters<typeof aria.open>[0]): Promise<SurfaceSession> => {
      const session = await aria.open(seat);
      let version: string | null = 'server 1.0';
      const ended = (): Promise<never> => {
        version = null;
        return Promise.reject(new Error('it has ended'));
      };
      return Object.defineProperty(Object.assign(session, { call: ended }), 'version', { get: () => version });
    },
  };
  const { result } = await stage({
    task: {},
    pages: { '/': BUTTON },
    agent: moves(call('snapshot')),
    setup: { surface: ending },
  });
  expect(result).toMatchObject({ toolErrors: 1, surfaceVersion: 'server 1.0' });
});

test('an agent that writes into its brief does not raise its caps', async () => {
  const agent: Agent = {
    ...deciding(() => call('snapshot')),
    open: (seat) => {
      seat.brief.caps.steps = 100;
      return deciding(() => call('snapshot')).open(seat);
    },
  };
  const { result } = await stage({ task: { maxSteps: 2 }, pages: { '/': BUTTON }, agent });
  expect(result).toMatchObject({ status: 'max_steps', steps: 2 });
});

const CYCLE: Record<string, unknown> = {};
CYCLE['self'] = CYCLE;

const MALFORMED: [string, unknown][] = [
  ['an answer that is not a number', { kind: 'done', answer: { value: Number.NaN } }],
  ['an answer that is a list', { kind: 'done', answer: { value: ['Done'] } }],
  ['no answer field', { kind: 'done' }],
  ['an answer without end', { kind: 'done', answer: { value: 'x'.repeat(100_000) } }],
  ['a tool that is no text', { kind: 'call', call: { tool: {}, args: {} } }],
  ['arguments that no JSON can hold', { kind: 'call', call: { tool: 'click', args: { ref: 1n } } }],
  ['arguments that contain themselves', { kind: 'call', call: { tool: 'click', args: CYCLE } }],
  ['nothing', undefined],
];

test('half a surrogate pair from an agent is replaced, and breaks nothing', async () => {
  const agent = moves(call('no\uD83D', { ref: '\uDE00' }), { kind: 'done', answer: { value: 'a\uD83D' } });
  const { result } = await stage({ task: {}, pages: { '/': BUTTON }, agent });
  expect(result).toMatchObject({
    status: 'failed',
    lastCall: { tool: 'no\uFFFD', args: { ref: '\uFFFD' } },
    answer: { value: 'a\uFFFD' },
  });
});

test.each(MALFORMED)('a malformed move is an error of the agent: %s', async (_what, move) => {
  const agent = deciding(() => move);
  const { result } = await stage({ task: {}, pages: { '/': BUTTON }, agent });
  expect(result).toMatchObject({ status: 'agent_error', goal: 'fail' });
  expect(result.detail).toContain('its move is malformed');
});

const BROKEN_SURFACES: [string, Partial<Record<keyof SurfaceSession, unknown>> | undefined][] = [
  ['that is nothing', undefined],
  ['without tools', { tools: undefined }],
  ['without a way to bind', { bind: undefined }],
];

test.each(BROKEN_SURFACES)('a surface %s is the fault of the surface', async (_what, parts) => {
  const surface: ContextSurface = {
    ...aria,
    open: async (seat) => {
      const session = await aria.open(seat);
      const broken: ReturnType<typeof JSON.parse> = parts === undefined ? undefined : Object.assign(session, parts);
      return broken;
    },
  };
  const { result } = await stage({ task: {}, pages: { '/': BUTTON }, agent: finish, setup: { surface } });
  expect(result).toMatchObject({ status: 'agent_error', goal: 'fail' });
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['no text', { ok: true, kind: 'text' }],
  ['a number for a text', { ok: true, kind: 'text', text: 7 }],
])('a reply that is %s is an error that the agent sees', async (_what, reply) => {
  const surface: ContextSurface = {
    ...aria,
    open: async (seat) => Object.assign(await aria.open(seat), { call: () => Promise.resolve(reply) }),
  };
  const { result, events } = await stage({ task: {}, pages: { '/': BUTTON }, agent: finish, setup: { surface } });
  expect(result).toMatchObject({ status: 'failed', toolErrors: 2 });
  expect(events.find(({ type }) => type === 'result')).toMatchObject({
    text: 'the surface returned a malformed reply',
  });
});

test('a reply without end is cut for the agent, and its whole length is on record', async () => {
  const text = 'x'.repeat(5 * 1024 * 1024);
  const surface: ContextSurface = {
    ...aria,
    open: async (seat) =>
      Object.assign(await aria.open(seat), { call: () => Promise.resolve({ ok: true, kind: 'text', text }) }),
  };
  const agent = deciding((last, turn) =>
    turn === 0 ? call('look') : { kind: 'give_up', reason: last?.text.split('\n').at(-1) ?? '' },
  );
  const { result, events } = await stage({ task: {}, pages: { '/': BUTTON }, agent, setup: { surface } });
  expect(result).toMatchObject({ status: 'gave_up', detail: '[cut: 5242880 characters]' });
  expect(events.find(({ type }) => type === 'result')).toMatchObject({ bytes: 5_242_880 });
});

test('whatever an agent throws is an error of the agent', async () => {
  const agent = deciding(() => {
    throw Object.create(null);
  });
  const { result } = await stage({ task: {}, pages: { '/': BUTTON }, agent });
  expect(result).toMatchObject({ status: 'agent_error', detail: 'something without a message was thrown' });
});

test('an agent that cannot begin has failed by itself', async () => {
  const agent = { ...moves(), open: () => Promise.reject(new Error('no key')) };
  const { result } = await stage({ task: {}, pages: { '/': BUTTON }, agent });
  expect(result).toMatchObject({ status: 'agent_error', detail: 'no key' });
});

test('an entrant that cuts the connection to the browser gains nothing, not even a retry', async () => {
  const identity = await sharedIdentity();
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: identity.spki });
  const cutting: ContextSurface = {
    ...aria,
    open: async (seat) =>
      Object.assign(await aria.open(seat), {
        call: async () => {
          await (await browser.playwright()).close();
          return { ok: true, text: 'gone', kind: 'text' };
        },
      }),
  };
  const success = { kind: 'not', child: { kind: 'dom_text', selector: 'h1', contains: 'Open' } } as const;
  const setup = { surface: cutting, browser };
  const { result } = await stage({ task: { success }, pages: { '/': BUTTON }, agent: moves(call('cut')), setup });
  expect(result).toMatchObject({
    status: 'agent_error',
    goal: 'inconclusive',
    detail: 'the connection to the browser was lost during a call',
    browserFit: false,
  });
  await browser.close();
});

async function endedAfter(calls: number, setup: Partial<EpisodeSetup> = {}) {
  const browser = await launchBrowser({ binary: requireBrowser('full') });
  const agent = deciding(async (_last, turn) => {
    if (turn < calls) return call('snapshot');
    await killFromOutside(browser);
    return { kind: 'done', answer: null };
  });
  const { result } = await stage({ task: {}, pages: { '/': BUTTON }, agent, setup: { browser, ...setup } });
  await browser.close();
  return result;
}

test('a browser that ends after the first call is the entrant’s, whoever ended it', async () => {
  expect(await endedAfter(1)).toMatchObject({ status: 'agent_error', browserFit: false });
});

test('a browser that ends before the first call is nobody’s, and the episode is tried again', async () => {
  expect(await endedAfter(0)).toMatchObject({ status: 'infra_error', browserFit: false });
});

test('a browser that ends after the first call is the entrant’s, even if the episode breaks down with it', async () => {
  const sink = {
    ...heardSink(),
    evidence: (moment: 'start' | 'end') => {
      if (moment === 'end') throw new Error('it is too long to be kept');
    },
  };
  expect(await endedAfter(1, { sink })).toMatchObject({ status: 'agent_error', goal: 'fail' });
  expect(await endedAfter(0, { sink })).toMatchObject({ status: 'infra_error' });
});
