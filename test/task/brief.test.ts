import { expect, it } from 'vitest';
import { briefOf, type Brief, capsOf } from '../../src/task/brief.ts';
import { defineTask } from '../../src/task/validate.ts';
import { SAMPLE } from './sample-task.ts';

it('a brief holds the task and its caps, and null for a cap that is not set', () => {
  expect(briefOf(defineTask({ ...SAMPLE, maxSteps: 5, maxUsd: 0.1 }))).toEqual({
    id: 'sample',
    title: 'A sample',
    goal: 'Send the form.',
    startUrl: 'http://basics.localhost/',
    caps: { maxSteps: 5, maxDurationMs: 120_000, maxTurns: null, maxTokens: null, maxUsd: 0.1 },
  });
});

it.each([
  ['a task that says nothing', {}, { maxSteps: 30, maxTurns: 50, maxTokens: null, maxUsd: 0.5 }],
  ['one that lowers them', { maxSteps: 9, maxTurns: 8, maxTokens: 700, maxUsd: 0.1 }, null],
  ['more steps than a model may take', { maxSteps: 100 }, { maxSteps: 50, maxTurns: 50, maxTokens: null, maxUsd: 0.5 }],
])('an agent that asks a model is held to hard caps: %s', (_, fields, expected) => {
  const task = defineTask({ ...SAMPLE, ...fields });
  expect(capsOf(task, { asksModel: true })).toEqual({ ...(expected ?? fields), maxDurationMs: 120_000 });
});

it.each([true, false])('a campaign lowers the cap of steps, and never raises it (model: %s)', (asksModel) => {
  const task = defineTask({ ...SAMPLE, maxSteps: 20 });
  expect([5, 99].map((maxSteps) => capsOf(task, { maxSteps, asksModel }).maxSteps)).toEqual([5, 20]);
});

it('nothing of how a task is judged, solved or failed reaches a brief', () => {
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
  expect(JSON.stringify(briefOf(task))).not.toContain(secret);
});

it('a task is not a brief by type: its contract cannot be handed over by mistake', () => {
  const fields: Record<keyof Brief, true> = { id: true, title: true, goal: true, startUrl: true, caps: true };
  expect(Object.keys(fields)).toEqual(Object.keys(briefOf(defineTask(SAMPLE))));
  // @ts-expect-error A task has no `caps`, so it does not pass for a brief.
  const brief: Brief = defineTask(SAMPLE);
  expect(brief).not.toHaveProperty('caps');
});

it.each([
  [{}, 10, 10],
  [{ maxTurns: 8 }, 10, 8],
  [{ maxTurns: 8 }, 6, 6],
  [{}, 1_000, 50],
])('a campaign lowers the turns of %j by %i to %i, and raises none', (own, maxTurns, expected) => {
  expect(capsOf(defineTask({ ...SAMPLE, ...own }), { maxTurns, asksModel: true }).maxTurns).toBe(expected);
});

it.each([
  [{}, 1_000, 1_000],
  [{ maxTokens: 700 }, 1_000, 700],
  [{ maxTokens: 700 }, 500, 500],
  [{ maxTokens: 700 }, null, 700],
  [{}, null, null],
])('a campaign lowers the tokens of %j by %j to %j, and raises none', (own, maxTokens, expected) => {
  expect(capsOf(defineTask({ ...SAMPLE, ...own }), { maxTokens, asksModel: true }).maxTokens).toBe(expected);
});
