import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { tempFiles } from '../task/temp-files.ts';
import { loadsOf, modelCodeIn } from './loaded-modules.ts';

const CLI = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

test('a transcript run loads no model code', async () => {
  await using files = await tempFiles({ 'other.txt': '' });
  const options = ['--task', 'example-h1', '--agent', 'transcript', '--out', files.path('bundle')];
  const { exit, loaded } = await loadsOf(CLI, ['run', 'basics', ...options]);
  expect(exit).toBe(0);
  // It did run, and its modules were noticed: our own modules, and those of packages, however they were loaded.
  for (const part of ['/src/agent/transcript.ts', '/src/run/run-campaign.ts', '/playwright-core/', '/zod/']) {
    expect(loaded).toContainEqual(expect.stringContaining(part));
  }
  expect(modelCodeIn(loaded)).toEqual([]);
});

describe('and model code is detected', () => {
  const program = (body: string) => ({
    'src/cli/main.ts': body,
    'src/model/ask.ts': 'export const ask: string = "model";',
    'node_modules/openai/package.json': '{ "name": "openai", "main": "index.js" }',
    'node_modules/openai/index.js': 'module.exports = { ask: "openai" };',
    'node_modules/@ai-sdk/x/package.json': '{ "name": "@ai-sdk/x", "type": "module", "exports": "./index.js" }',
    'node_modules/@ai-sdk/x/index.js': 'export const ask = "sdk";',
    'package.json': '{ "type": "module" }',
  });

  test.each([
    ['that is ours', 'import { ask } from "../model/ask.ts"; console.log(ask);', '/src/model/ask.ts'],
    [
      'that is imported late',
      'const { ask } = await import("../model/ask.ts"); console.log(ask);',
      '/src/model/ask.ts',
    ],
    ['of a provider', 'import { ask } from "@ai-sdk/x"; console.log(ask);', '/node_modules/@ai-sdk/x/index.js'],
    [
      'that is required',
      'import { createRequire } from "node:module"; createRequire(import.meta.url)("openai");',
      '/node_modules/openai/index.js',
    ],
  ])('%s', async (_, body, expected) => {
    await using files = await tempFiles(program(body));
    const { exit, loaded } = await loadsOf(files.path('src/cli/main.ts'), []);
    expect(exit).toBe(0);
    expect(modelCodeIn(loaded)).toEqual([expect.stringContaining(expected)]);
  });
});
