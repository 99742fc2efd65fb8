import { expect, it } from 'vitest';
import { type Brief, briefOf } from '../../src/task/brief.ts';
import { capsOf } from '../../src/task/caps.ts';
import { defineTask } from '../../src/task/validate.ts';
import { SAMPLE } from './sample-task.ts';

const SOUND = defineTask(SAMPLE);

it('a brief holds the task and its caps, and null for a cap that is not set', () => {
  const task = defineTask({ ...SAMPLE, maxSteps: 5, maxUsd: 0.1 });
  expect(briefOf(task, capsOf(task))).toEqual({
    id: 'sample',
    title: 'A sample',
    goal: 'Send the form.',
    startUrl: 'http://basics.localhost/',
    caps: { steps: 5, turns: null, wall_ms: 120_000, tokens: null, cost_usd: 0.1 },
  });
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
  expect(JSON.stringify(briefOf(task, capsOf(task)))).not.toContain(secret);
});

it('a task is not a brief by type: its contract cannot be handed over by mistake', () => {
  const fields: Record<keyof Brief, true> = { id: true, title: true, goal: true, startUrl: true, caps: true };
  expect(Object.keys(fields)).toEqual(Object.keys(briefOf(SOUND, capsOf(SOUND))));
  // @ts-expect-error A task has no `caps`, so it does not pass for a brief.
  const brief: Brief = SOUND;
  expect(brief).not.toHaveProperty('caps');
});
