import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { calls, fakeAnthropic, message } from '../model/fake-anthropic.ts';
import { type Answer, status } from '../model/fake-provider.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const KEY = 'sk-ant-test-0123456789';
const TASK = ['run', 'basics', '--task', 'example-h1', '--agent', 'claude-sonnet-4-6'];
const SOLUTION = [calls(['navigate', { url: 'https://example.com/' }]), calls(['done', { answer: 'Example Domain' }])];
const READY = calls(['touchstone_ready', {}]);

beforeEach(() => {
  vi.stubEnv('ANTHROPIC_API_KEY', KEY);
});
async function runWith(first: Answer, ...args: string[]) {
  await using fake = await fakeAnthropic(SOLUTION, first);
  vi.stubEnv('ANTHROPIC_BASE_URL', fake.url);
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const { exit, out, err } = await touchstone(...TASK, ...args, '--out', bundle);
  const ledger = await readFile(path.join(bundle, 'ledger.jsonl'), 'utf8');
  const kinds = ledger
    .trim()
    .split('\n')
    .map((line): string => JSON.parse(line).kind);
  return { exit, bundle, ledger, kinds, said: out + err, asked: fake.asked.length, first: fake.askedFirst.length };
}

describe('a provider that does not serve', () => {
  test.each([
    ['a key', status(401, `invalid x-api-key ${KEY}`)],
    ['an account', status(402)],
    ['a region', status(403)],
    ['a model', status(404, 'model: claude-sonnet-4-6')],
    ['an account without credit', status(400, 'Your credit balance is too low')],
    ['a temperature', status(400, 'temperature is deprecated for this model')],
  ])('%s is detected before the first episode', async (_, denial) => {
    const { exit, bundle, kinds, ledger, said, asked, first } = await runWith(denial, '-n', '2');
    expect([exit, asked, first]).toEqual([4, 0, 1]);
    expect(kinds).toEqual(['planned', 'paused']);
    expect(said).toMatch(/paused +claude-sonnet-4-6, asked at 127.0.0.1:\d+ with ANTHROPIC_API_KEY before the first/);
    expect(said).toContain('check the key and the credit');
    expect(said).toContain(`touchstone run --resume ${bundle}`);
    expect([said, ledger].filter((text) => text.includes(KEY))).toEqual([]);
    expect(await readdir(path.join(bundle, 'episodes')).catch(() => [])).toEqual([]);
  });

  test('is asked again on a resume, which goes on as if nothing had happened', async () => {
    let first = status(401);
    await using fake = await fakeAnthropic(SOLUTION, (response) => first(response));
    vi.stubEnv('ANTHROPIC_BASE_URL', fake.url);
    const bundle = path.join(await temporaryFolder(), 'bundle');
    expect(await touchstone(...TASK, '--out', bundle)).toMatchObject({ exit: 4 });
    first = READY;
    expect(await touchstone('run', '--resume', bundle)).toMatchObject({ exit: 0 });
    expect([fake.askedFirst.length, fake.asked.length]).toEqual([2, 2]);
    expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
    // There is nothing left to ask for.
    expect(await touchstone('run', '--resume', bundle)).toMatchObject({ exit: 0 });
    expect(fake.askedFirst).toHaveLength(2);
  });

  test('for now is asked as often as in any call, and then the campaign pauses', async () => {
    const { exit, said, asked, first } = await runWith(status(503, 'overloaded', { 'retry-after': '0' }));
    expect([exit, asked, first]).toEqual([4, 0, 3]);
    expect(said).toContain('wait until the provider answers again');
  });
});

describe('one that serves', () => {
  test('is asked once however many episodes there are, and its cost is printed and in no row', async () => {
    const { exit, said, bundle, first, asked } = await runWith(READY);
    expect([exit, first, asked]).toEqual([0, 1, 2]);
    expect(said).toContain('asked first: claude-sonnet-4-6 answers as claude-sonnet-4-6, calls tools, 0.00045 USD');
    expect(JSON.parse(await readFile(path.join(bundle, 'rows.jsonl'), 'utf8'))).toMatchObject({
      turns: 2,
      cost_usd: 0.0009,
    });
  });

  test('is paid out of the money of the run', async () => {
    const { exit, said, asked } = await runWith(READY, '--max-usd', '0.0004');
    expect([exit, asked]).toEqual([4, 0]);
    expect(said).toMatch(/paused +0.0004\d* of 0.0004 USD are spent/);
  });

  test('but calls no tool is reported, and still runs the episodes', async () => {
    const { exit, said } = await runWith(message({ content: [{ type: 'text', text: 'ready' }], stop: 'end_turn' }));
    expect(exit).toBe(0);
    expect(said).toContain('did not call the requested tool');
  });
});
