import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { benchReal } from '../../scripts/webvoyager-real.ts';
import { calls, fakeAnthropic } from '../model/fake-anthropic.ts';
import { temporaryFolder } from '../temporary-folder.ts';

beforeEach(() => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-ant-test-0123456789');
});
async function run(environment: Record<string, string>, ...args: string[]) {
  await using fake = await fakeAnthropic([
    calls(['browser_navigate', { url: 'https://example.com/' }]),
    calls(['done', { answer: 'Example Domain' }]),
  ]);
  vi.stubEnv('ANTHROPIC_BASE_URL', fake.url);
  const lines: string[] = [];
  const note = (line: string) => lines.push(line);
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const only = ['--task', 'task-01-example-com-title', '--out', bundle];
  const exit = await benchReal([...only, ...args], environment, { out: note, note });
  return { exit, text: lines.join('\n'), asked: fake.asked.length };
}

test('with the switch on, the usual model does the trivial task, and its cost is printed', async () => {
  const { exit, text, asked } = await run({ TOUCHSTONE_BENCH_REAL: '1' });
  expect(text).toMatch(/^claude-sonnet-4-6\/playwright-mcp .* 1 of 1 /m);
  expect(text).toContain('cost           0.00090 USD');
  expect({ exit, asked }).toEqual({ exit: 0, asked: 2 });
});

test("the seed's name for the switch does as well, and another agent may be chosen", async () => {
  const { exit, text, asked } = await run({ OPENCHROME_BENCH_REAL: '1' }, '--adapter', 'mock');
  expect(text).toMatch(/^transcript\/playwright-mcp .* 1 of 1 /m);
  expect({ exit, asked }).toEqual({ exit: 0, asked: 0 });
});

test('without it no model is asked, and the remedy is printed', async () => {
  const { exit, text, asked } = await run({ TOUCHSTONE_BENCH_REAL: '0' });
  expect(text).toContain('TOUCHSTONE_BENCH_REAL=1 npm run bench:webvoyager:real');
  expect({ exit, asked }).toEqual({ exit: 2, asked: 0 });
});
