import { expect, it } from 'vitest';
import { type Brief, briefOf } from '../../src/task/brief.ts';
import { capsOf } from '../../src/task/caps.ts';
import { defineTask, validateTask } from '../../src/task/validate.ts';
import { SAMPLE } from './sample-task.ts';
import { MODEL_TIMEOUT_MS } from '../../src/model/patient.ts';

const SOUND = defineTask(SAMPLE);

it('a brief has the task and its caps, and null for a cap that is not set', () => {
  const task = defineTask({ ...SAMPLE, maxSteps: 5, maxUsd: 0.1 });
  expect(briefOf(task, capsOf(task))).toEqual({
    id: 'sample',
    title: 'A sample',
    goal: 'Send the form.',
    startUrl: 'http://basics.localhost/',
    caps: { steps: 5, turns: null, wall_ms: 120_000, tokens: null, cost_usd: 0.1 },
  });
});

it('a brief reveals nothing of how a task is judged, solved or failed', () => {
  const secret = 'SECRET';
  const steps = [{ do: 'wait_for', text: secret } as const];
  const task = defineTask({
    ...SAMPLE,
    success: { kind: 'dom_text', contains: secret },
    guards: { kind: 'dom_text', contains: secret },
    tags: [secret],
    instance: { name: 'secret', parameters: { expected: secret } },
    solutions: [{ steps }],
    nearMisses: [{ why: secret, steps }],
  });
  expect(JSON.stringify(task)).toContain(secret);
  expect(JSON.stringify(briefOf(task, capsOf(task)))).not.toContain(secret);
});

it('a task is not a brief by type: its contract cannot be passed on by mistake', () => {
  const fields: Record<Exclude<keyof Brief, 'files'>, true> = {
    id: true,
    title: true,
    goal: true,
    startUrl: true,
    caps: true,
  };
  expect(Object.keys(fields)).toEqual(Object.keys(briefOf(SOUND, capsOf(SOUND))));
  // @ts-expect-error A task has no `caps`, so it does not pass for a brief.
  const brief: Brief = SOUND;
  expect(brief).not.toHaveProperty('caps');
});

const MODEL = { asksModel: true };

it.each([
  ['a task that says nothing', {}, { steps: 30, turns: 50, tokens: null, cost_usd: 0.5 }],
  [
    'one that lowers them',
    { maxSteps: 9, maxTurns: 8, maxTokens: 700, maxUsd: 0.1 },
    { steps: 9, turns: 8, tokens: 700, cost_usd: 0.1 },
  ],
  ['more steps than a model may take', { maxSteps: 100 }, { steps: 50, turns: 50, tokens: null, cost_usd: 0.5 }],
])('an agent that asks a model has hard caps: %s', (_, fields, expected) => {
  const task = defineTask({ ...SAMPLE, ...fields });
  expect(capsOf(task, {}, MODEL)).toEqual({ ...expected, wall_ms: 180_000 + 6_000 * expected.turns });
});

it('an agent that asks a model gets the wall time for its turns and a retry of the slowest call; other agents do not', () => {
  const task = defineTask({ ...SAMPLE, maxDurationMs: 60_000, maxTurns: 10 });
  expect(capsOf(task).wall_ms).toBe(60_000);
  expect(capsOf(task, {}, MODEL).wall_ms).toBe(240_000);
  expect(capsOf(defineTask({ ...SAMPLE, maxDurationMs: 600_000 }), {}, MODEL).wall_ms).toBe(600_000);
  expect(2 * MODEL_TIMEOUT_MS).toBe(180_000);
});

it('a suite of long work raises the limits of its tasks, for a model too, and a campaign still lowers them', () => {
  const caps = { steps: 300, turns: 200, wall_ms: 3_600_000, cost_usd: 5 };
  const task = validateTask({ ...SAMPLE, maxSteps: 300, maxDurationMs: 1_000_000 }, { caps });
  if (!task.ok) throw new Error('the task is refused');
  expect(capsOf(task.value)).toMatchObject({ steps: 300, wall_ms: 1_000_000, turns: null });
  expect(capsOf(task.value, {}, MODEL)).toMatchObject({ steps: 300, turns: 200, wall_ms: 1_380_000, cost_usd: 5 });
  expect(capsOf(task.value, { steps: 40, cost_usd: 1 }, MODEL)).toMatchObject({ steps: 40, cost_usd: 1 });
});

it.each([
  ['maxSteps', 101, 'steps'],
  ['maxDurationMs', 600_001, 'wall_ms'],
  ['maxTurns', 51, 'turns'],
  ['maxUsd', 0.51, 'cost_usd'],
])('without it, %s of %d is refused, and so is a value above the limit of the suite', (field, given, cap) => {
  const above = validateTask({ ...SAMPLE, [field]: given });
  expect(above).toMatchObject({ problems: [{ path: [field], what: { code: 'cap_not_raised', params: { cap } } }] });
  expect(validateTask({ ...SAMPLE, [field]: given }, { caps: { [cap]: given } }).ok).toBe(true);
  expect(validateTask({ ...SAMPLE, [field]: given + 1 }, { caps: { [cap]: given } }).ok).toBe(false);
});

it('a campaign lowers the wall time and the USD of an episode, and raises none', () => {
  const task = defineTask({ ...SAMPLE, maxDurationMs: 60_000, maxUsd: 0.1 });
  expect(capsOf(task, { wall_ms: 1_000, cost_usd: 0.05 }, MODEL)).toMatchObject({ wall_ms: 1_000, cost_usd: 0.05 });
  expect(capsOf(task, { wall_ms: 900_000, cost_usd: 9 })).toMatchObject({ wall_ms: 60_000, cost_usd: 0.1 });
});

it('a model without a known price has no cap in USD', () => {
  const task = defineTask({ ...SAMPLE, maxUsd: 0.1 });
  expect(capsOf(task, {}, { asksModel: true, hasPrice: false }).cost_usd).toBeNull();
  expect(capsOf(task, {}, MODEL).cost_usd).toBe(0.1);
});

it.each([true, false])('a campaign lowers the cap of steps, and never raises it (model: %s)', (asksModel) => {
  const task = defineTask({ ...SAMPLE, maxSteps: 20 });
  expect([5, 99, null].map((steps) => capsOf(task, { steps }, { asksModel }).steps)).toEqual([5, 20, 20]);
});

it.each([
  [{}, 10, 10],
  [{ maxTurns: 8 }, 10, 8],
  [{ maxTurns: 8 }, 6, 6],
  [{}, 1_000, 50],
])('a campaign lowers the turns of %j by %i to %i, and raises none', (own, turns, expected) => {
  expect(capsOf(defineTask({ ...SAMPLE, ...own }), { turns }, MODEL).turns).toBe(expected);
});

it.each([
  [{}, 1_000, 1_000],
  [{ maxTokens: 700 }, 1_000, 700],
  [{ maxTokens: 700 }, 500, 500],
  [{ maxTokens: 700 }, null, 700],
  [{}, null, null],
])('a campaign lowers the tokens of %j by %j to %j, and raises none', (own, tokens, expected) => {
  expect(capsOf(defineTask({ ...SAMPLE, ...own }), { tokens }, MODEL).tokens).toBe(expected);
});
