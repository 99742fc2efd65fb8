import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { SelfDrivingAgent } from '../../src/agent/agent.ts';
import { type ExecCommand, loadCommand } from '../../src/agent/exec/command.ts';
import { execAgent } from '../../src/agent/exec/exec-agent.ts';
import { NOTHING_HIDDEN } from '../../src/process/sandbox/confined.ts';
import { prepareLaunch } from '../../src/process/sandbox/launch.ts';
import { requireBrowser } from '../../src/browser/find.ts';
import { launchBrowser, type OwnedBrowser } from '../../src/browser/launch.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import { ownSurface } from '../../src/surface/surface-ids.ts';
import { killFromOutside } from '../browser/traces.ts';
import { sharedIdentity } from '../shared-browser.ts';
import { ORIGIN, type Performance, stage, type Staged } from './staged-episode.ts';

const DRIVER = fileURLToPath(new URL('fixtures/driver.mjs', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('../../examples/exec/agent.mjs', import.meta.url));
const BUTTON =
  "<title>Stage</title><h1>Open</h1><button onclick=\"document.querySelector('h1').textContent='Done'\">Finish</button>";

function driver(behaviour: string): ExecCommand {
  const { command } = loadCommand(DRIVER);
  return { ...command, args: [...command.args, behaviour] };
}

interface Driven extends Partial<Omit<Staged, 'agent'>> {
  agent?: SelfDrivingAgent;
  agentFor?: (browser: OwnedBrowser) => SelfDrivingAgent;
}

async function stageDriven(staged: Driven): Promise<Performance> {
  const { spki } = await sharedIdentity();
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: spki });
  const agent = staged.agentFor?.(browser) ?? staged.agent ?? execAgent(driver('looks and lies'));
  try {
    const setup = { surface: ownSurface('test'), browser };
    return await stage({ task: {}, pages: { '/': BUTTON }, ...staged, agent, setup });
  } finally {
    await browser.close();
  }
}

test('the ten-line agent of the documentation passes, and is judged like any other', async () => {
  const { result, events } = await stageDriven({
    agent: execAgent(loadCommand(EXAMPLE).command),
    task: { goal: `Open ${ORIGIN}/done and stop there.` },
    pages: { '/': '<h1>Open</h1>', '/done': '<title>The end</title><h1>Done</h1>' },
  });
  expect(result).toMatchObject({ status: 'passed', stop: 'done', goal: 'pass', violations: {} });
  expect(result.commands).toBeGreaterThan(0);
  expect(events.find(({ type }) => type === 'reported_step')).toMatchObject({
    step: 1,
    tool: 'goto',
    args: { address: `${ORIGIN}/done` },
    text: 'The end',
    url: `${ORIGIN}/done`,
  });
});

test('an agent’s words about itself are kept apart, and only its answer is graded', async () => {
  const { result, events, evidence } = await stageDriven({
    agent: execAgent(driver('clicks and answers')),
    task: { success: { kind: 'answer', one_of: ['Stage'] } },
  });
  expect(result).toMatchObject({
    status: 'passed',
    answer: { value: 'Stage' },
    steps: 0,
    lastCall: null,
    reported: { steps: 1, modelCalls: 1, tokensIn: 100, tokensOut: 20, costUsd: 0.5, model: 'small-1' },
  });
  expect(events.map(({ type }) => type)).toEqual(
    `
    reset contract_evaluation judged opened tools isolated reported_step reported_usage gateway acted stop
    contract_evaluation judged surroundings
  `
      .trim()
      .split(/\s+/),
  );
  expect(JSON.stringify(evidence)).not.toContain('small-1');
});

test('an agent that looks and lies has failed', async () => {
  const { result } = await stageDriven({ agent: execAgent(driver('looks and lies')) });
  expect(result).toMatchObject({ status: 'failed', goal: 'fail' });
});

test('an agent that never touched this browser has done no work, whatever the app reports', async () => {
  const { result, events } = await stageDriven({
    agent: execAgent(driver('never touches the browser')),
    task: { success: { kind: 'answer', one_of: ['Done'] } },
  });
  expect(result).toMatchObject({ status: 'agent_error', goal: 'pass', commands: 0 });
  expect(result.detail).toBe('the agent reported that it was done, and this browser received no command from it');
  expect(events.find(({ type }) => type === 'stop')).toMatchObject({ broke: 'unreached' });
});

test('an agent that did the work and broke has not passed', async () => {
  const { result, events } = await stageDriven({ agent: execAgent(driver('clicks and breaks')) });
  expect(result).toMatchObject({ status: 'agent_error', goal: 'pass' });
  expect(result.detail).toContain('it ended with exit code 1; Error: out of cheese');
  expect(events.find(({ type }) => type === 'printed')).toMatchObject({
    text: expect.stringContaining('out of cheese'),
  });
});

test('the cap of steps holds for steps that an agent reports', async () => {
  const { result, events } = await stageDriven({
    agent: execAgent(driver('takes one step after the other')),
    task: { maxSteps: 3 },
  });
  expect(result).toMatchObject({ status: 'max_steps', reported: { steps: 3 } });
  expect(events.filter(({ type }) => type === 'reported_step')).toHaveLength(3);
});

test.each([
  ['tokens', { maxTokens: 119 }],
  ['USD', { maxUsd: 0.4 }],
])('the cap of %s holds for reported values', async (_what, cap) => {
  const { result } = await stageDriven({ agent: execAgent(driver('clicks and answers')), task: cap });
  expect(result).toMatchObject({ status: 'budget_exceeded', goal: 'pass' });
});

test('an agent that hangs is ended by the wall cap, and is gone before it is judged', async () => {
  const asOurselves = execAgent(driver('hangs'), {
    prepare: async (command, cdpUrl) => ({
      ...(await prepareLaunch(command, cdpUrl, NOTHING_HIDDEN, false)),
      uid: null,
    }),
  });
  const { result, events } = await stageDriven({ agent: asOurselves, task: { maxDurationMs: 20_000 } });
  expect(result).toMatchObject({
    status: 'timeout',
    detail: expect.stringMatching(/^the wall cap of 20000 ms: it never reported/),
  });
  const step = events.find(({ type }) => type === 'reported_step');
  const pid = Number(step?.type === 'reported_step' ? step.tool.replace('at ', '') : Number.NaN);
  expect(pid).toBeGreaterThan(0);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('an agent that ends the browser past the gateway gains no second attempt', async () => {
  const { result } = await stageDriven({
    agentFor: (browser) => ({
      id: 'killer',
      decider: 'process',
      drive: async () => {
        await killFromOutside(browser);
        return { kind: 'done', answer: null };
      },
    }),
  });
  expect(result).toMatchObject({ status: 'agent_error', browserFit: false });
});

test('an agent that shares our network and looks for the browser’s own port finds only the gateway', async () => {
  const { result, events } = await stageDriven({
    agent: execAgent({ ...driver('looks for debugging ports'), network: 'shared' }),
  });
  expect(result.status).toBe('failed');
  const found = events.find(({ type }) => type === 'reported_step');
  expect(found).toMatchObject({ tool: 'found only the gateway' });
});

test('an agent that drives a browser itself cannot do so through a surface that has none', async () => {
  const { result } = await stage({
    task: {},
    pages: { '/': BUTTON },
    agent: execAgent(driver('looks and lies')),
    setup: { surface: aria },
  });
  expect(result).toMatchObject({ status: 'agent_error', goal: 'fail' });
  expect(result.detail).toBe('driver drives a browser itself, and the surface has none');
});

test('an agent of ours that ends without an ending has broken', async () => {
  const agent: SelfDrivingAgent = {
    id: 'odd',
    decider: 'process',
    drive: () => Promise.resolve(JSON.parse('{"kind":"call","call":{"tool":"click","args":{}}}')),
  };
  const { result } = await stageDriven({ agent });
  expect(result).toMatchObject({
    status: 'agent_error',
    detail: 'it ended with "call", which does not end an episode',
  });
});
