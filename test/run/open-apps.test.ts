import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Entrants } from '../../src/plan/entrants.ts';
import { refuseOpenApps, loadTokenCounter } from '../../src/run/stage.ts';
import { loadSuiteWorlds } from '../../src/run/suite-world.ts';
import { builtIn } from '../suite-files.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const AGENT = path.join(ROOT, 'examples/exec/agent.mjs');

const suites = await Promise.all(['basics', 'realapps'].map(builtIn));
const worlds = await loadSuiteWorlds(suites);
const entrants = await Entrants.load({ agents: [AGENT] });

function meeting(agent: string, suiteId: string, canSandbox: boolean): void {
  const task = suites.find(({ id }) => id === suiteId)?.tasks[0]?.task;
  if (task === undefined) throw new Error(`suite ${suiteId} has no task`);
  refuseOpenApps([{ agent, planned: { suite: suiteId, task } }], worlds, entrants, () => canSandbox);
}

describe('an agent that acts on its own', () => {
  test('meets no real application if there is no sandbox to run it in', () => {
    expect(() => {
      meeting(AGENT, 'realapps', false);
    }).toThrow('exec could make http://node-red.localhost run commands as you');
  });

  test('meets it if there is one', () => {
    expect(() => {
      meeting(AGENT, 'realapps', true);
    }).not.toThrow();
  });

  test('meets an app of ours anywhere', () => {
    expect(() => {
      meeting(AGENT, 'basics', false);
    }).not.toThrow();
  });
});

test.each(['reference', 'transcript', 'null', 'random', 'keyword'])(
  '%s, with no agent that runs commands, meets it without a sandbox',
  (agent) => {
    expect(() => {
      meeting(agent, 'realapps', false);
    }).not.toThrow();
  },
);

const countTokens = await loadTokenCounter();

test('a text has as many tokens as o200k_base gives it', () => {
  expect(countTokens('')).toBe(0);
  expect(countTokens('hello world')).toBe(2);
});

test('a mark of the vocabulary is counted as text', () => {
  expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
});

test('an endless run is still counted, about as densely', () => {
  const [short, long] = [countTokens('a'.repeat(200)), countTokens('a'.repeat(400_000))];
  expect(long).toBe(short * 2_000);
});
