import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
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
  tasks: z.array(z.looseObject({ task: z.string(), turns: z.number(), wall_ms: z.number() })),
  not_ready: z.array(z.string()),
  smallest_detectable: z.number().nullable(),
  can_claim: z.boolean(),
  claims: z.array(z.looseObject({ grade: z.string(), reasons: z.array(z.looseObject({ code: z.string() })) })),
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

async function forecast(...args: string[]): Promise<z.infer<typeof Forecast>> {
  const { exit, out, err } = await touchstone(...args, '--json');
  expect(exit).toBe(0);
  expect(err).toBe('');
  return Forecast.parse(JSON.parse(out));
}

describe('the 600 episodes', async () => {
  const planned = await forecast(...PROTOCOLS);

  test('have no model whose name is retired, and plan warns about such a model', async () => {
    expect((await touchstone(...PROTOCOLS)).err).toBe('');
    const { err } = await touchstone('plan', 'basics', '--agent', 'deepseek-chat');
    expect(err).toContain('warning: deepseek-chat: its provider has announced that this name ends on 2026-07-24');
    expect((await touchstone('plan', 'basics', '--agent', 'claude-haiku-4-5')).err).toBe('');
  });

  test('are five models through three protocols on four tasks, ten times', async () => {
    const { cells, episodes, entrants, tasks, in_order: order } = planned;
    expect([cells, episodes, entrants.length, tasks.length]).toEqual([60, 600, 15, 4]);
    expect(new Set(order.map(({ episode_id: id }) => id)).size).toBe(600);
  });

  test('run by iteration, with the entrants of a task in a new order each time, drawn by the seed', async () => {
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

  test('are pinned beforehand, the same for every model and protocol', async () => {
    const { entrants, tasks } = planned;
    expect(tasks.map(({ turns }) => turns)).toEqual([10, 10, 10, 10]);
    for (const { model } of entrants) {
      expect(model).toMatchObject({ temperature: 0, max_output_tokens: 2048, call_timeout_ms: 90_000, max_retries: 2 });
    }
    const prompts = entrants.map(({ model }) => z.object({ prompt_hash: z.string() }).parse(model).prompt_hash);
    expect(new Set(prompts).size).toBe(1);
  });

  test('cost at most their caps, which plan prints first, without a key', async () => {
    for (const name of ['ANTHROPIC', 'OPENAI', 'GOOGLE', 'DEEPSEEK']) vi.stubEnv(`${name}_API_KEY`, '');
    const { cost, time } = await forecast(...PROTOCOLS);
    expect(cost).toMatchObject({ basis: 'caps', most_usd: 300, paid_episodes: 600, unpriced_episodes: 0 });
    expect(time).toMatchObject({ basis: 'caps', most_ms: 600 * 600_000 });
    const { out } = await touchstone(...PROTOCOLS);
    expect(out.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^cost +at most 300\.00 USD, by the caps of 600 episodes/),
      expect.stringMatching(/^time +at most 100\.0 h, by the caps/),
    ]);
  });
});

test('the wall time of a task applies to its agents: one that asks a model has the time of its turns', async () => {
  const wallOf = async (agent: string) =>
    (await forecast('plan', 'basics', '--task', 'example-h1', '--agent', agent)).tasks.map(({ wall_ms: ms }) => ms);
  expect(await wallOf('reference')).toEqual([30_000]);
  expect(await wallOf('claude-sonnet-4-6')).toEqual([480_000]);
});

test('the hash is that of the plan of a run, and another seed has another', async () => {
  const asked = ['basics', '--task', 'example-h1', '--agent', 'null', '-n', '2'];
  const { plan_hash: hash } = await forecast('plan', ...asked);
  const bundle = path.join(await temporaryFolder(), 'bundle');
  await touchstone('run', ...asked, '--out', bundle);
  expect(await touchstone('verify', bundle, '--anchor', hash)).toMatchObject({ exit: 0 });
  const { plan_hash: other } = await forecast('plan', ...asked, '--seed', '2');
  expect(await touchstone('verify', bundle, '--anchor', other)).toMatchObject({ exit: 1 });
});

test('a plan can show what the pairs that can run the same tasks can, as its run reports', async () => {
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

describe('a claim that a plan could make', () => {
  const MODEL = ['basics', '--task', 'dialog-delete', '--agent', 'claude-haiku-4-5'];
  const codesOf = async (...args: string[]) => {
    vi.stubEnv('ANTHROPIC_BASE_URL', '');
    const { claims } = await forecast('plan', ...args);
    const found = claims.flatMap(({ reasons }) => reasons.map(({ code }) => code));
    // Whether this checkout is clean is no matter of the plan.
    return [...new Set(found)].filter((code) => code !== 'no_clean_commit');
  };

  test('is refused with each known reason, and what lifts it', async () => {
    expect(await codesOf(...MODEL, '--times')).toEqual(['budget_not_pinned', 'too_few_repetitions']);
    expect(await codesOf(...MODEL, '-n', '10', '--max-tokens', '400000', '--times')).toEqual([]);
    expect(await codesOf(...MODEL, '-n', '10', '--max-tokens', '400000')).toEqual(['ran_at_once']);
    const live = ['webvoyager', '--task', 'task-11-wikipedia-record-architect', ...MODEL.slice(3), '-n', '10'];
    expect(await codesOf(...live, '--max-tokens', '9', '--live-web', '--times')).toEqual(['live_web']);
    const { out } = await touchstone('plan', ...MODEL, '--claims');
    expect(out).toMatch(/budget_not_pinned: .*\n +to lift it: cap the turns, tokens and cost/);
  });

  test('is one line without --claims, and with it each reason once, in words about the future', async () => {
    const asked = ['plan', 'basics', '--task', 'dialog-delete', '--agent', 'null,parrot', '--surface', 'aria'];
    const [short, long] = [await touchstone(...asked), await touchstone(...asked, '--claims')];
    expect(short.out).toMatch(/^could claim nothing; --claims lists \d+ reasons against it$/m);
    expect(short.out).not.toContain('to lift it');
    expect(long.out).not.toContain('could claim');
    const codes = [...long.out.matchAll(/^ {4}([a-z_]+): /gm)].map(([, code]) => code);
    expect(codes).toContain('model_not_pinned');
    expect(new Set(codes).size).toBe(codes.length);
    expect(long.out).not.toMatch(/ (?:was|were|did|ran|has run) |no model decided/);
  });

  test('does not exist for a control, a task that a control passes, or an impossible cell', async () => {
    expect(await codesOf('basics', '--task', 'dialog-delete', '--agent', 'null')).toContain('harness_mode');
    const trivial = ['basics', '--task', 'example-h1', ...MODEL.slice(3)];
    expect(await codesOf(...trivial)).toEqual(expect.arrayContaining(['not_qualified', 'trivial_task']));
    expect(await codesOf(...MODEL, '--surface', 'app-mcp')).toContain('no_episodes');
  });

  test('is checked before the first episode with --claim: if nothing could be primary, nothing begins', async () => {
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:9');
    const bundle = path.join(await temporaryFolder(), 'bundle');
    const refused = await touchstone('run', ...MODEL, '--claim', '--out', bundle);
    expect([refused.exit, existsSync(bundle)]).toEqual([2, false]);
    expect(refused.err).toContain('nothing here could become a primary claim');
    expect(refused.err).toMatch(/harness_mode: mode mock .*\n +to lift it: run a model/);
    vi.stubEnv('ANTHROPIC_BASE_URL', '');
    vi.stubEnv('ANTHROPIC_API_KEY', 'key-of-a-test');
    const campaign = ['run', '--campaign', 'campaigns/first-claim.yaml', '--claim', '--out', bundle];
    // The next question is about the cost; in a checkout with changes there is one more reason.
    expect((await touchstone(...campaign)).err).toMatch(/add --yes|diagnostic: [^\n]*\n +no_clean_commit: [^\n]*\n/);
  });
});

test('a missing key is reported, and one that is set or not needed is not', async () => {
  vi.stubEnv('ANTHROPIC_BASE_URL', '');
  const asked = ['plan', 'basics', '--agent', 'reference,claude-sonnet-4-6'];
  vi.stubEnv('ANTHROPIC_API_KEY', '');
  const why = 'claude-sonnet-4-6 needs a key, but ANTHROPIC_API_KEY is not set';
  expect((await forecast(...asked)).not_ready).toEqual([why]);
  expect((await touchstone(...asked)).out).toContain(`not ready   ${why}; a run would be refused`);
  expect((await forecast(...asked, '--cassette', '.')).not_ready).toEqual([]);
  vi.stubEnv('ANTHROPIC_API_KEY', 'key-of-a-test');
  expect((await forecast(...asked)).not_ready).toEqual([]);
});

test('an estimate rests on the same cells of an earlier bundle, and counts them', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  await touchstone('run', 'basics', '--task', 'example-h1', '--agent', 'null', '--out', bundle);
  const asked = ['basics', '--task', 'example-h1,local-form-submit', '-n', '10', '--basis', bundle];
  const { estimate } = await forecast('plan', ...asked, '--agent', 'null,reference');
  expect(estimate).toMatchObject({ basis: bundle, cells: 4, measured_cells: 1, cost_usd: null });
  expect(estimate?.time_ms).toBeGreaterThan(0);
  // The cost of a fake, or of another agent, is no estimate for a model.
  const model = await forecast('plan', ...asked, '--agent', 'gpt-4o-mini');
  expect(model.estimate).toMatchObject({ cells: 2, measured_cells: 0, time_ms: null, cost_usd: null });
});

test('a folder that holds a bundle is refused before anything is loaded or overwritten', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  await touchstone('run', 'basics', '--task', 'example-h1', '--agent', 'null', '--out', bundle);
  const nowhere = path.join(bundle, 'no-suite');
  const used = await touchstone('run', nowhere, '--out', bundle);
  expect([used.exit, used.err]).toEqual([2, expect.stringContaining('already contains a bundle')]);
  const unused = await touchstone('run', nowhere, '--out', `${bundle}-2`);
  expect(unused.err).toContain(`the folder "${nowhere}" does not exist`);
  expect(existsSync(`${bundle}-2`)).toBe(false);
});
