import path from 'node:path';
import { expect, test } from 'vitest';
import { boundsText } from '../../src/cli/bounds-line.ts';
import { modelSetup } from '../../src/cli/model-setup.ts';
import { Entrants, isFileName } from '../../src/plan/entrants.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { SMALL_PLAN } from '../plan/sample-plan.ts';

const MODEL = { agent: 'claude-sonnet-4-6', surface: 'aria' };
const ALL = { maxUsd: null, shard: undefined };

/** A plan of one task of two minutes, ten times over. */
async function planned(agents: readonly string[], environment: Record<string, string> = {}) {
  const entrants = await Entrants.load({ agents: agents.filter(isFileName) }, modelSetup(agents, {}, environment));
  const tasks = SMALL_PLAN.tasks
    .slice(0, 1)
    .map((each) => ({ ...each, task: { ...each.task, maxDurationMs: 120_000 } }));
  const pairs = agents.map((agent) => ({ agent: entrants.agent(agent).id, surface: 'aria' }));
  const plan: Plan = { ...SMALL_PLAN, tasks, entrants: pairs, iterations: 10 };
  return { plan, entrants, ...ALL };
}

test('where no model is paid it costs nothing, and the time is the sum of the caps', async () => {
  const agent = path.join(packageRoot(), 'examples/exec/agent.mjs');
  const text = boundsText(await planned(['null', agent]));
  expect(text).toBe('costs nothing; at most 40 min by caps, as a rule far less');
});

test('of agents that only follow a script no time is said: it is seconds, whatever the caps', async () => {
  expect(boundsText(await planned(['null', 'reference']))).toBe('costs nothing');
});

test('models cost at most the sum of their caps, or what --max-usd allows', async () => {
  const costly = await planned(['null', MODEL.agent]);
  expect(boundsText(costly)).toBe('at most 5.00 USD and 1.7 h by caps, as a rule far less');
  expect(boundsText({ ...costly, maxUsd: 0.5 })).toMatch(/^at most 0\.50 USD and /);
});

test('of models without a known price the episodes are counted', async () => {
  const environment = { OPENAI_COMPATIBLE_BASE_URL: 'https://llm.example/v1' };
  expect(boundsText(await planned(['openai-compatible:qwen3'], environment))).toMatch(
    /as a rule far less; 10 episodes at an unknown price$/,
  );
});

test('nothing is said of a part of a plan', async () => {
  expect(boundsText({ ...(await planned(['null'])), shard: { index: 1, of: 2 } })).toBeNull();
});
