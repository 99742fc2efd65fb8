import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { workersFor } from '../../src/cli/planned-run.ts';
import { PlanningOptions } from '../../src/cli/planning-options.ts';
import { newPlan } from '../../src/cli/planning.ts';
import { isWatched } from '../../src/plan/plan.ts';
import { touchstone } from './touchstone.ts';

async function planned(options: z.input<typeof PlanningOptions>) {
  const notes: string[] = [];
  const terminal = { out: () => undefined, note: (line: string) => void notes.push(line) };
  const all = PlanningOptions.parse({ task: 'example-h1', ...options });
  const made = await newPlan({ args: ['basics'], options: all, given: ['agent', 'task'] }, terminal);
  return { ...made, notes };
}

describe('without a screen', () => {
  beforeEach(() => {
    vi.stubEnv('DISPLAY', '');
    vi.stubEnv('WAYLAND_DISPLAY', '');
    return () => vi.unstubAllEnvs();
  });

  test.runIf(process.platform === 'linux')('--headed is refused before anything starts', async () => {
    const { exit, err } = await touchstone('run', 'basics', '--headed');
    expect([exit, err]).toEqual([2, expect.stringContaining('leave out --headed')]);
  });
});

test.each([
  ['--browser shell', ['--browser', 'shell']],
  ['--queue', ['--queue', 'redis://127.0.0.1:1']],
  ['--browser-endpoint', ['--browser-endpoint', 'http://127.0.0.1:1']],
])('--headed cannot be combined with %s', async (name, options) => {
  const { exit, err } = await touchstone('run', 'basics', '--headed', ...options);
  expect([exit, err]).toEqual([2, expect.stringContaining(`so it cannot be combined with ${name}`)]);
});

test.each([
  [{ headed: true }, true, 1],
  [{ slow: 500 }, true, 1],
  [{}, false, 'auto'],
] as const)('a run with %j is watched: %s, by default with workers: %s', async (options, watched, expected) => {
  const made = await planned(options);
  const { workers } = workersFor({ args: [], given: [], options: { workers: 'auto', times: false } }, made);
  expect([isWatched(made.plan), workers]).toEqual([watched, expected]);
});

const OWN = './examples/exec/agent.mjs,null';
const WHO = 'warning: exec drives the browser itself';

test.each([
  [OWN, { slow: 500 }, [`${WHO}: --slow does not slow that down`]],
  [OWN, { film: true }, [`${WHO}: --film shows the start and the end of that, and no step`]],
  [OWN, {}, []],
  ['null', { film: true }, []],
])('agents that drive the browser themselves are warned about: %s with %j', async (agent, options, warnings) => {
  const { notes } = await planned({ agent, ...options });
  expect(notes).toEqual(warnings);
});
