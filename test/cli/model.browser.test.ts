import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { RunEvent } from '../../src/cli/live/event-lines.ts';
import { calls, fakeAnthropic, message, use } from '../model/fake-anthropic.ts';
import { type Answer, status } from '../model/fake-provider.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ledgerOf, rowsOf } from './bundle-files.ts';
import { touchstone } from './touchstone.ts';

const KEY = 'sk-ant-test-0123456789';
/** One episode at a time: a fake answers in the order of its script. */
const TASK = ['run', 'basics', '--task', 'example-h1', '--agent', 'claude-sonnet-4-6', '--times'];
const GO = calls(['navigate', { url: 'https://example.com/' }]);
const SOLUTION = [GO, calls(['done', { answer: 'Example Domain' }])];

beforeEach(() => {
  vi.stubEnv('ANTHROPIC_API_KEY', KEY);
});
async function runWith(script: readonly Answer[], ...args: string[]) {
  await using fake = await fakeAnthropic(script);
  vi.stubEnv('ANTHROPIC_BASE_URL', fake.url);
  const bundle = path.join(await temporaryFolder(), 'bundle');
  return { ...(await touchstone(...args, '--out', bundle)), bundle, asked: fake.asked, host: new URL(fake.url).host };
}

async function basicsWith(was: string, is: string): Promise<string> {
  const folder = await temporaryFolder();
  const task = await readFile('suites/basics/tasks/example-h1.yaml', 'utf8');
  const sites = '{ origin: "https://example.com", static: site, stand_in: true }';
  const suite = `id: basics\ntitle: Basics\ntasks: [task.yaml]\nworld: { kind: local, sites: [${sites}] }\n`;
  await cp('suites/basics/sites/example.com', path.join(folder, 'site'), { recursive: true });
  await writeFile(path.join(folder, 'suite.yaml'), suite);
  await writeFile(path.join(folder, 'task.yaml'), task.replace(was, is));
  return folder;
}

async function textsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file);
      return (file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString('latin1');
    }),
  );
}

test('a model behind a fake leaves a row with all pins and measurements, and verifies', async () => {
  const { exit, out, bundle, host } = await runWith(SOLUTION, ...TASK);
  expect(exit).toBe(0);
  const [row] = await rowsOf(bundle);
  expect(row).toMatchObject({
    mode: 'mock',
    decider: 'model',
    endpoint_kind: 'mock',
    model_id: 'custom:claude-sonnet-4-6@127.0.0.1',
    model_id_returned: 'claude-sonnet-4-6',
    model_endpoint: host,
    temperature: 0,
    prompt_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    caps: { steps: 10, turns: 50, tokens: null, cost_usd: 0.5 },
    retry_policy: { max_attempts: 3, max_model_retries: 2 },
    timeouts: { model_call_ms: 90_000 },
    turns: 2,
    model_retries: 0,
    tokens_in: 200,
    tokens_out: 20,
    tokens_cached: 0,
    cost_usd: 0.0009,
    price_table: 'anthropic-list-2026-11-22',
    model_ms: expect.any(Number),
  });
  expect(out).toContain('cost           0.00090 USD by the prices of anthropic-list-2026-11-22; a mock');
  expect(await touchstone('rejudge', bundle)).toMatchObject({ exit: 0 });
});

test('show lists the turns, and with --verbose their messages', async () => {
  const content = [{ type: 'text', text: 'I open it.' }, use('navigate', { url: 'https://example.com/' })];
  const { bundle } = await runWith([message({ content }), calls(['done', {}])], ...TASK);
  const brief = await touchstone('show', bundle, 'example-h1');
  expect(brief.out).toContain('turn 1: claude-sonnet-4-6 replied (tool_use): 100 tokens in (0 cached), 10 out');
  expect(brief.out).not.toContain('I open it.');
  const verbose = await touchstone('show', bundle, 'example-h1', '--verbose');
  expect(verbose.out).toContain('│ Open https://example.com and stop');
  expect(verbose.out).toContain('│ I open it.');
  expect(verbose.out).toContain('│ → navigate {"url":"https://example.com/"}');
  expect(verbose.out).toContain('│ ← tool_result');
});

test('the key is in no file, though the provider repeats it', async () => {
  const content = [{ type: 'text', text: `Your key is ${KEY}.` }, use('wait', { text: KEY })];
  const cassettes = path.join(await temporaryFolder(), 'cassettes');
  const script = [message({ content }), calls(['give_up', { reason: `no ${KEY}` }])];
  const { bundle, asked, out, err } = await runWith(script, ...TASK, '--record-cassette', cassettes);
  expect(asked[0]?.headers['x-api-key']).toBe(KEY);
  const texts = [...(await textsIn(bundle)), ...(await textsIn(cassettes)), out, err];
  expect(texts.filter((text) => text.includes(KEY))).toEqual([]);
  expect(texts.filter((text) => text.includes('[secret:ANTHROPIC_API_KEY]')).length).toBeGreaterThan(3);
});

describe('a provider that does not serve', () => {
  const DENIED = status(401, `invalid x-api-key ${KEY}`);
  const OUT = status(503, 'overloaded', { 'retry-after': '0' });

  test('pauses the campaign at once if it rejects the account: nothing is sealed, and the line to resume is printed', async () => {
    const { exit, bundle, asked, out } = await runWith([GO, DENIED], ...TASK, '-n', '5');
    expect(exit).toBe(4);
    expect(asked).toHaveLength(2);
    expect(await readFile(path.join(bundle, 'rows.jsonl'), 'utf8')).toBe('');
    expect(out).toMatch(/paused +the provider answered 401/);
    expect(out).toContain(`touchstone run --resume ${bundle}`);
    expect((await ledgerOf(bundle)).map(({ kind }) => kind)).toEqual(['planned', 'started', 'voided', 'paused']);
    expect((await textsIn(bundle)).filter((text) => text.includes(KEY))).toEqual([]);
  });

  test('is forgotten once it serves again: the resumed campaign has the outcome of an undisturbed one, and no rerun', async () => {
    const quiet = await runWith([...SOLUTION, ...SOLUTION], ...TASK, '-n', '2', '--json');
    const events = quiet.err
      .trimEnd()
      .split('\n')
      .map((line) => RunEvent.parse(JSON.parse(line)));
    expect(events.filter(({ event }) => event === 'finished')).toMatchObject([
      { status: 'passed' },
      { status: 'passed' },
    ]);
    expect(events.findLast(({ event }) => event === 'progress')).toMatchObject({ done: 2, total: 2, passed: 2, of: 2 });
    await using fake = await fakeAnthropic([...SOLUTION, GO, DENIED, ...SOLUTION]);
    vi.stubEnv('ANTHROPIC_BASE_URL', fake.url);
    const bundle = path.join(await temporaryFolder(), 'bundle');
    expect(await touchstone(...TASK, '-n', '2', '--out', bundle)).toMatchObject({ exit: 4 });
    const resumed = await touchstone('run', '--resume', bundle, '--json');
    expect(resumed.exit).toBe(0);
    expect(JSON.parse(resumed.out).outcome_hash).toBe(JSON.parse(quiet.out).outcome_hash);
    expect(await rowsOf(bundle)).toMatchObject([
      { attempt: 1, retries: 0 },
      { attempt: 2, retries: 0 },
    ]);
    expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  });

  test('pauses the campaign after three failures in a row, and not after two', async () => {
    const failed = [OUT, OUT, OUT];
    const twice = await runWith([...failed, ...failed, ...SOLUTION], ...TASK);
    expect(twice.exit).toBe(0);
    const thrice = await runWith([...failed, ...failed, ...failed], ...TASK, '-n', '5');
    expect(thrice.exit).toBe(4);
    expect(thrice.asked).toHaveLength(9);
    expect(thrice.out).toMatch(/paused +3 failures of a provider in a row, the last: the provider answered 503/);
  });
});

describe('the money of a campaign', () => {
  test('is checked before each call: one reply may pass it, and then the campaign pauses', async () => {
    // A reply costs 0.00045 USD by the table of prices: the second passes the cap, and the third is not asked for.
    await using fake = await fakeAnthropic([GO, GO, ...SOLUTION]);
    vi.stubEnv('ANTHROPIC_BASE_URL', fake.url);
    const bundle = path.join(await temporaryFolder(), 'bundle');
    const spent = await touchstone(...TASK, '--max-usd', '0.0006', '--out', bundle);
    expect([spent.exit, fake.asked.length]).toEqual([4, 2]);
    expect(spent.out).toMatch(/paused +0.0009 of 0.0006 USD are spent/);
    // The cap holds on a resume that names no other.
    expect(await touchstone('run', '--resume', bundle)).toMatchObject({ exit: 4 });
    expect(fake.asked).toHaveLength(2);
    expect(await touchstone('run', '--resume', bundle, '--max-usd', '1')).toMatchObject({ exit: 0 });
  });

  test('pauses nothing if it suffices', async () => {
    const enough = await runWith(SOLUTION, ...TASK, '--max-usd', '0.01');
    expect(enough.exit).toBe(0);
  });
});

describe('a cassette', () => {
  /** The fields that two runs must share, apart from the mode. */
  const outcome = ({
    status: came,
    goal_verdict,
    turns,
    steps,
    tool_errors,
    final_url,
    answer,
    model_id,
  }: Record<string, unknown>) => ({ came, goal_verdict, turns, steps, tool_errors, final_url, answer, model_id });

  async function recorded() {
    const cassettes = path.join(await temporaryFolder(), 'cassettes');
    const ran = await runWith(
      [calls(['snapshot', {}], ['fly', {}]), ...SOLUTION],
      ...TASK,
      '--record-cassette',
      cassettes,
    );
    vi.stubEnv('ANTHROPIC_API_KEY', '');
    vi.stubEnv('ANTHROPIC_BASE_URL', '');
    const replay = async (...args: string[]) => {
      const bundle = path.join(await temporaryFolder(), 'bundle');
      const again = await touchstone(...args, '--cassette', cassettes, '--out', bundle);
      return { ...again, bundle, report: JSON.parse(await readFile(path.join(bundle, 'report.json'), 'utf8')) };
    };
    return { ...ran, cassettes, replay };
  }

  test('replays a run without key or provider, in a real browser, with the same outcome', async () => {
    const { exit, bundle, replay } = await recorded();
    expect(exit).toBe(0);
    const [first, second] = [await replay(...TASK), await replay(...TASK)];
    expect([first.exit, second.exit]).toEqual([0, 0]);
    expect(second.report.outcome_hash).toBe(first.report.outcome_hash);
    const [[before], [after]] = [await rowsOf(bundle), await rowsOf(first.bundle)];
    expect(outcome(after ?? {})).toEqual(outcome(before ?? {}));
    expect([before?.['mode'], after?.['mode']]).toEqual(['mock', 'replay']);
    expect(after).toMatchObject({ endpoint_kind: 'cassette', model_ms: null, tokens_in: 300, tool_errors: 1 });
    expect(await touchstone('rejudge', first.bundle)).toMatchObject({ exit: 0 });
  });

  test('is named again on a resume, since it is pinned', async () => {
    const { cassettes, replay } = await recorded();
    const { bundle, report } = await replay(...TASK);
    const again = await touchstone('run', '--resume', bundle, '--cassette', cassettes, '--json');
    expect(JSON.parse(again.out)).toMatchObject({ complete: true, outcome_hash: report.outcome_hash });
    vi.stubEnv('ANTHROPIC_API_KEY', KEY);
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:1');
    const asked = await touchstone('run', '--resume', bundle);
    expect([asked.exit, asked.err]).toEqual([2, expect.stringContaining('what is fixed about each model (models)')]);
  });

  test('stops at the first message that differs from the recording, and names it', async () => {
    const { replay } = await recorded();
    const suite = await basicsWith(
      'goal: Open https://example.com and stop',
      'goal: Visit https://example.com and stop',
    );
    const { exit, bundle } = await replay('run', suite, ...TASK.slice(2));
    expect(exit).toBe(1);
    const [row] = await rowsOf(bundle);
    expect(row).toMatchObject({ status: 'replay_drift', stop: 'replay_drift', steps: 0, mode: 'replay' });
    expect(row?.['detail']).toMatch(/^model_drift: expected message 1 of request 1 as recorded, .*Open https/);
  });

  test('makes the cell not applicable if it is missing, which meets no gate', async () => {
    const { replay } = await recorded();
    const { exit, bundle } = await replay('run', 'basics', '--task', 'dialog-delete', ...TASK.slice(4));
    expect(exit).toBe(1);
    expect(await rowsOf(bundle)).toMatchObject([{ status: 'not_applicable', mode: 'skip' }]);
  });

  test('is bad input if it is broken, and nothing begins', async () => {
    const { cassettes } = await recorded();
    const [file = ''] = await readdir(cassettes);
    await writeFile(path.join(cassettes, file), '{}\n');
    const { exit, err } = await touchstone(...TASK, '--cassette', cassettes);
    expect([exit, err]).toEqual([2, expect.stringContaining(`${file}:1: is not a line of a cassette`)]);
  });
});

describe('nothing begins', () => {
  test.each([
    ['without a key', { ANTHROPIC_API_KEY: '' }, 'ANTHROPIC_API_KEY is not set'],
    ['with a key that is too short to be redacted', { ANTHROPIC_API_KEY: 'short' }, 'fewer than 8 characters'],
    [
      'with the placeholder of a document',
      { ANTHROPIC_API_KEY: 'sk-ant-test-…' },
      'contains a space or a character outside ASCII',
    ],
    ['with an endpoint that is none', { ANTHROPIC_BASE_URL: 'nowhere' }, 'ANTHROPIC_BASE_URL is not an address'],
    ['at the provider, unless its price was agreed to', { ANTHROPIC_BASE_URL: '' }, 'add --yes'],
  ])('%s', async (_, variables, expected) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const bundle = path.join(await temporaryFolder(), 'bundle');
    const { exit, err } = await touchstone(...TASK, '--out', bundle);
    expect([exit, err]).toEqual([2, expect.stringContaining(expected)]);
    await expect(readdir(bundle)).rejects.toThrow('ENOENT');
  });
});

test.each([
  ['--adapter claude', ['--adapter', 'claude'], {}],
  ['TOUCHSTONE_BENCH_ADAPTER', [], { TOUCHSTONE_BENCH_ADAPTER: 'claude' }],
  ['OPENCHROME_BENCH_ADAPTER', [], { OPENCHROME_BENCH_ADAPTER: 'claude' }],
])('%s means the pinned model', async (_, flags, variables) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { exit, bundle, asked } = await runWith(SOLUTION, ...TASK.slice(0, 4), ...flags);
  expect([exit, asked[0]?.body.model]).toEqual([0, 'claude-sonnet-4-6']);
  expect(await rowsOf(bundle)).toMatchObject([{ agent: 'claude-sonnet-4-6', status: 'passed' }]);
});
