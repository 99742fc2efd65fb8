import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { modelAgent } from '../../../src/agent/model/model-agent.ts';
import { MODEL_CAPS } from '../../../src/task/caps.ts';
import { parsePrompt } from '../../../src/agent/prompt.ts';
import type { TaskInput } from '../../../src/task/schema.ts';
import { stage } from '../../episode/staged-episode.ts';
import { modelAt } from '../../model/asking.ts';
import { calls, fakeAnthropic, message, use } from '../../model/fake-anthropic.ts';
import { type Answer, hang, status, text } from '../../model/fake-provider.ts';

const PROMPT = parsePrompt(readFileSync('prompts/default.md', 'utf8'));
const PRICE = { input: 3, cacheWrite: 3.75, cacheRead: 0.3, output: 15 };
const PAGES = { '/': '<h1>Start</h1><a href="/end">Go on</a>', '/end': '<h1>Done</h1>' };
const GO = calls(['navigate', { url: 'http://stage.localhost/end' }]);

/** One real episode in which a model, behind HTTP on this machine, decides. */
async function episode(
  script: readonly Answer[],
  task: Partial<TaskInput> = {},
  { callTimeoutMs, wallMs }: { callTimeoutMs?: number; wallMs?: number } = {},
) {
  await using fake = await fakeAnthropic(script);
  const connect = () => Promise.resolve(modelAt(fake.url, callTimeoutMs === undefined ? {} : { callTimeoutMs }));
  const agent = modelAgent({ id: 'm', prompt: PROMPT, price: PRICE, maxOutputTokens: 4_096, connect });
  const setup = wallMs === undefined ? {} : { caps: { ...MODEL_CAPS, wall_ms: wallMs, tokens: null } };
  const { result, events } = await stage({ task, pages: PAGES, agent, setup });
  return { result, events, asked: fake.asked };
}

test('a model completes a task in a real browser, and its usage is measured', async () => {
  const { result, events } = await episode([calls(['snapshot', {}]), GO, calls(['done', { answer: 'there' }])]);
  expect(result).toMatchObject({ status: 'passed', steps: 2, answer: { value: 'there' } });
  expect(result.model).toMatchObject({
    turns: 3,
    retries: 0,
    tokensIn: 300,
    tokensOut: 30,
    modelId: 'claude-sonnet-4-6',
  });
  expect(result.model?.costUsd).toBeCloseTo(0.00135, 10);
  expect(events.filter(({ type }) => type === 'turn_ended')).toHaveLength(3);
});

test('the model never sees how the task is judged', async () => {
  const success = { kind: 'dom_text', selector: 'h1', contains: 'Zanzibar' } as const;
  const { asked } = await episode([calls(['snapshot', {}]), calls(['done', {}])], { success });
  expect(JSON.stringify(asked)).not.toContain('Zanzibar');
});

test('a call that the surface refuses is data, counted, and the model may recover', async () => {
  const { result, asked } = await episode([calls(['fly', {}]), calls(['click', { at: 1 }]), GO, calls(['done', {}])]);
  expect(result).toMatchObject({ status: 'passed', steps: 3, toolErrors: 2 });
  expect(asked[1]?.body.messages.at(-1)?.content).toMatchObject([{ is_error: true }]);
});

describe('a cap stops it in the middle of the task:', () => {
  const dear = message({
    content: [use('navigate', { url: 'http://stage.localhost/end' })],
    usage: { output_tokens: 40_000 },
  });

  test('the cost of a task, before any call of the reply that passed it is made', async () => {
    const { result } = await episode([calls(['snapshot', {}]), dear, calls(['done', {}])]);
    expect(result).toMatchObject({ status: 'budget_exceeded', goal: 'fail', steps: 1 });
    expect(result.model).toMatchObject({ turns: 2, costUsd: expect.closeTo(0.60075, 10) });
  });

  test('a lower cost, that the task sets', async () => {
    const { result } = await episode([calls(['snapshot', {}]), calls(['done', {}])], { maxUsd: 0.0004 });
    expect(result).toMatchObject({ status: 'budget_exceeded', detail: '0.00045 USD, and the cap is 0.0004 USD' });
  });

  test('turns', async () => {
    const look = calls(['snapshot', {}]);
    const { result, asked } = await episode([look, look, look], { maxTurns: 2 });
    expect(result).toMatchObject({ status: 'max_turns', steps: 2 });
    expect(asked).toHaveLength(2);
  });

  test('50 tool calls, though the task would allow more', async () => {
    const many = calls(...Array.from({ length: 60 }, (): [string, unknown] => ['fly', {}]));
    const { result } = await episode([many], { maxSteps: 100 });
    expect(result).toMatchObject({ status: 'max_steps', steps: 50, toolErrors: 50 });
  });

  test('time, when the model answers too late', async () => {
    const late: Answer = (response) => setTimeout(() => GO(response), 800);
    const { result } = await episode([late, GO], {}, { wallMs: 300 });
    expect(result).toMatchObject({ status: 'timeout', steps: 0, model: { turns: 1 } });
  });
});

describe('the owner of a failure:', () => {
  test('a silent provider is the provider’s, even near the wall cap', async () => {
    const { result, events } = await episode([hang, hang, hang], {}, { wallMs: 300, callTimeoutMs: 600 });
    expect(result).toMatchObject({ status: 'infra_error', model: { turns: 1, tokensIn: 0 } });
    expect(events).toContainEqual({
      type: 'interrupted',
      cause: 'outage',
      why: 'the provider did not answer within 600 ms, until the wall cap of 300 ms',
    });
  });

  test('a lasting outage is the provider’s, and the cost is kept', async () => {
    const { result } = await episode([GO, status(500), status(500), status(500)]);
    expect(result).toMatchObject({
      status: 'infra_error',
      detail: 'the provider answered 500, after 2 retries',
      model: { turns: 2, retries: 2, tokensIn: 100 },
    });
  });

  test.each<[string, Answer]>([
    ['an invalid reply', text('<html>')],
    ['a request that is refused', status(400, 'prompt is too long')],
  ])('%s is the entrant’s', async (_, answer) => {
    const { result } = await episode([GO, answer, calls(['done', {}])]);
    expect(result).toMatchObject({ status: 'agent_error', goal: 'pass', model: { turns: 2, retries: 0 } });
  });
});
