import { expect, test } from 'vitest';
import { AgentName } from '../../src/bundle/name.ts';
import { isFileName } from '../../src/plan/entrants.ts';
import { modelNames, ownModelIn } from '../../src/agent/model-names.ts';
import { PROVIDERS } from '../../src/model/providers.ts';
import type { Pins } from '../../src/plan/pins.ts';

const PIN: Pins['models'][string] = {
  model_id: 'm',
  model_endpoint: null,
  endpoint_kind: 'custom',
  temperature: 0,
  max_output_tokens: 2048,
  prompt_hash: 'a'.repeat(64),
  price_table: null,
  call_timeout_ms: 1,
  max_retries: 0,
};

test.each([
  ['openai-compatible:qwen3', 'openai-compatible-qwen3', 'qwen3'],
  ['openai-compatible:qwen2.5:7b', 'openai-compatible-qwen2.5-7b', 'qwen2.5:7b'],
  ['openai-compatible:Qwen/Qwen2.5-7B', 'openai-compatible-Qwen-Qwen2.5-7B', 'Qwen/Qwen2.5-7B'],
  ['openai-compatible:../../etc', 'openai-compatible-etc', '../../etc'],
  ['openai-compatible:a..b__c', 'openai-compatible-a-b-c', 'a..b__c'],
  ['openai:gpt-5.2', 'openai-gpt-5.2', 'gpt-5.2'],
  ['openai:compatible-x', 'openai-compatible-x', 'compatible-x'],
  ['anthropic:claude-opus-5-5', 'anthropic-claude-opus-5-5', 'claude-opus-5-5'],
  ['google:models/gemini-3.8-flash', 'google-models-gemini-3.8-flash', 'models/gemini-3.8-flash'],
])('%s is the agent %s, whose endpoint knows it as %s', (name, agent, model) => {
  expect(ownModelIn(name)).toEqual({ name, agent, model, provider: name.slice(0, name.indexOf(':')) });
  expect(AgentName.safeParse(agent).success).toBe(true);
});

test.each(Object.keys(PROVIDERS))('any model of %s can be named', (provider) => {
  expect(ownModelIn(`${provider}:m`)).toMatchObject({ provider, model: 'm' });
});

test.each(['openai-compatible', 'openai-compatible:', 'openai-compatible:/', 'gpt-4o-mini', 'openai:', 'other:m'])(
  '%s does not name a user’s own model',
  (name) => {
    expect(ownModelIn(name)).toBeNull();
  },
);

test.each([
  ['gpt-4o-mini', PIN, 'gpt-4o-mini'],
  ['openai-compatible-a-b', { ...PIN, model_id: 'custom:a/b@llm.example' }, 'openai-compatible:a/b'],
  ['openai-compatible-a-b', { ...PIN, model_id: 'custom:a@b@[::1]' }, 'openai-compatible:a@b'],
  ['openai-compatible-a-b', { ...PIN, model_id: 'a:b', endpoint_kind: 'cassette' as const }, 'openai-compatible:a:b'],
  ['openai-gpt-5.2', { ...PIN, model_id: 'gpt-5.2' }, 'openai:gpt-5.2'],
  ['openai-compatible-x', { ...PIN, model_id: 'compatible-x' }, 'openai:compatible-x'],
  ['openai-compatible-x', { ...PIN, model_id: 'x' }, 'openai-compatible:x'],
])('the pinned %s has the same name on a resume as on its command line', (agent, pin, name) => {
  expect(modelNames({ [agent]: pin })).toEqual([name]);
});

test.each([
  ['./agent.mjs', true],
  ['agent.py', true],
  ['folder/agent', true],
  ['gemini-3.1-flash-lite', false],
  ['openai-compatible:a/b.gguf', false],
  ['google:models/gemini-3.8-flash', false],
  ['aria:one-shot', false],
])('%s is recognised as a file or not: %s', (name, expected) => {
  expect(isFileName(name)).toBe(expected);
});
