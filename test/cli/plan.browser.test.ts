import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const PROTOCOLS = ['plan', '--campaign', 'campaigns/protocol-600.yaml'];
const Forecast = z.looseObject({
  plan_hash: z.string(),
  cells: z.number(),
  episodes: z.number(),
  cost: z.looseObject({ basis: z.string(), most_usd: z.number() }),
  time: z.looseObject({ basis: z.string(), most_ms: z.number() }),
  estimate: z
    .looseObject({ measured_cells: z.number(), time_ms: z.number().nullable(), cost_usd: z.number().nullable() })
    .nullable(),
  tasks: z.array(z.looseObject({ task: z.string(), turns: z.number() })),
  smallest_detectable: z.number().nullable(),
  entrants: z.array(z.looseObject({ agent: z.string(), surface: z.string(), model: z.unknown() })),
  in_order: z.array(
    z.object({
      episode_id: z.string(),
      iteration: z.number(),
      suite: z.string(),
      task: z.string(),
      agent: z.string(),
      surface: z.string(),
    }),
  ),
});

afterEach(() => {
  vi.unstubAllEnvs();
});

async function forecast(...args: string[]): Promise<z.infer<typeof Forecast>> {
  const { exit, out, err } = await touchstone(...args, '--json');
  expect(exit).toBe(0);
  expect(err).toBe('');
  return Forecast.parse(JSON.parse(out));
}

describe('the 600 episodes', async () => {
  const planned = await forecast(...PROTOCOLS);

  test('have no model whose name ends; of one that has it is said before anybody pays', async () => {
    expect((await touchstone(...PROTOCOLS)).err).toBe('');
    const { err } = await touchstone('plan', 'basics', '--agent', 'deepseek-chat');
    expect(err).toContain('warning: deepseek-chat: its provider has said that the name ends on 2026-07-24');
    expect((await touchstone('plan', 'basics', '--agent', 'claude-haiku-4-5')).err).toBe('');
  });

  test('are five models through three protocols on four tasks, ten times', async () => {
    const { cells, episodes, entrants, tasks, in_order: order } = planned;
    expect([cells, episodes, entrants.length, tasks.length]).toEqual([60, 600, 15, 4]);
    expect(new Set(order.map(({ episode_id: id }) => id)).size).toBe(600);
  });

  test('run by iteration, and the entrants of a task in an order that the seed draws anew each time', async () => {
    const { in_order: order } = planned;
    expect(order.map(({ iteration }) => iteration)).toEqual(order.map((_, at) => Math.floor(at / 60)));
    const rounds = Array.from({ length: 40 }, (_, at) => order.slice(at * 15, at * 15 + 15));
    for (const round of rounds) {
      expect(new Set(round.map(({ task }) => task)).size).toBe(1);
      expect(new Set(round.map(({ agent, surface }) => `${agent}/${surface}`)).size).toBe(15);
    }
    const orders = rounds.map((round) => round.map(({ agent, surface }) => `${agent}/${surface}`).join());
    expect(new Set(orders).size).toBe(40);
    expect((await forecast(...PROTOCOLS)).in_order).toEqual(order);
  });

  test('are pinned before anybody is asked, and alike for every model and protocol', async () => {
    const { entrants, tasks } = planned;
    expect(tasks.map(({ turns }) => turns)).toEqual([10, 10, 10, 10]);
    for (const { model } of entrants) {
      expect(model).toMatchObject({ temperature: 0, max_output_tokens: 2048, call_timeout_ms: 90_000, max_retries: 2 });
    }
    const prompts = entrants.map(({ model }) => z.object({ prompt_hash: z.string() }).parse(model).prompt_hash);
    expect(new Set(prompts).size).toBe(1);
  });

  test('cost at most what their caps allow, which is said first, and no key is needed to say it', async () => {
    for (const name of ['ANTHROPIC', 'OPENAI', 'GOOGLE', 'DEEPSEEK']) vi.stubEnv(`${name}_API_KEY`, '');
    const { cost, time } = await forecast(...PROTOCOLS);
    expect(cost).toMatchObject({ basis: 'caps', most_usd: 300, paid_episodes: 600, unpriced_episodes: 0 });
    expect(time).toMatchObject({ basis: 'caps', most_ms: 600 * 600_000 });
    const { out } = await touchstone(...PROTOCOLS);
    expect(out.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^cost +at most 300\.00 USD, by the caps of 600 episodes/),
      expect.stringMatching(/^time +at most 100\.0 hours, by the caps/),
    ]);
  });
});

test('the hash is that of the plan that a run has, and another seed has another', async () => {
  const asked = ['basics', '--task', 'example-h1', '--agent', 'null', '-n', '2'];
  const { plan_hash: hash } = await forecast('plan', ...asked);
  const bundle = path.join(await temporaryFolder(), 'bundle');
  await touchstone('run', ...asked, '--out', bundle);
  expect(await touchstone('verify', bundle, '--anchor', hash)).toMatchObject({ exit: 0 });
  const { plan_hash: other } = await forecast('plan', ...asked, '--seed', '2');
  expect(await touchstone('verify', bundle, '--anchor', other)).toMatchObject({ exit: 1 });
});

test('what a plan can show is of the pairs that can run the same tasks, as a run of it has it', async () => {
  const shown = async (...args: string[]) => (await forecast('plan', ...args)).smallest_detectable;
  const six = 'dialog-delete,iframe-vote,late-order,local-form-submit,new-tab-terms,shadow-subscribe';
  const [alone, other] = [
    ['--agent', 'reference,null', '--surface', 'aria'],
    ['--agent', 'reference,null', '--surface', 'aria,app-mcp'],
  ];
  expect(await shown('basics', '--task', six, ...alone)).toBeCloseTo(0.762, 3);
  expect(await shown('basics', '--task', six, ...other)).toBeCloseTo(0.762, 3);
  // Every pair has but one task in common, however many the one has.
  const more = ['protocols', '--task', `${six},add-monitor`, '--agent', 'reference', '--surface', 'aria,app-mcp'];
  expect(await shown('basics', ...more)).toBeNull();
});

test('an estimate rests on what an earlier bundle measured of the same cells, and says of how many', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  await touchstone('run', 'basics', '--task', 'example-h1', '--agent', 'null', '--out', bundle);
  const asked = ['basics', '--task', 'example-h1,local-form-submit', '-n', '10', '--basis', bundle];
  const { estimate } = await forecast('plan', ...asked, '--agent', 'null,reference');
  expect(estimate).toMatchObject({ basis: bundle, cells: 4, measured_cells: 1, cost_usd: null });
  expect(estimate?.time_ms).toBeGreaterThan(0);
  // What a fake, or another agent, took says nothing of a model.
  const model = await forecast('plan', ...asked, '--agent', 'gpt-4o-mini');
  expect(model.estimate).toMatchObject({ cells: 2, measured_cells: 0, time_ms: null, cost_usd: null });
});

test('a folder that holds a bundle is refused before anything is loaded', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  await touchstone('run', 'basics', '--task', 'example-h1', '--agent', 'null', '--out', bundle);
  const nowhere = path.join(bundle, 'no-suite');
  const used = await touchstone('run', nowhere, '--out', bundle);
  expect([used.exit, used.err]).toEqual([2, expect.stringContaining('holds a bundle already')]);
  const unused = await touchstone('run', nowhere, '--out', `${bundle}-2`);
  expect(unused.err).toContain(`there is no folder "${nowhere}"`);
  expect(existsSync(`${bundle}-2`)).toBe(false);
});
