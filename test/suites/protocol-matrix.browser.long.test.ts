import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { glob } from 'tinyglobby';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type Failure,
  type FakeModels,
  type ModelRequest,
  startFakeModels,
} from '../../bench/mock-models/fake-models.ts';
import { behaviourIn } from '../../bench/mock-models/policy.ts';
import { type Script, scriptsIn } from '../../bench/mock-models/scripts.ts';
import { Row } from '../../src/bundle/row.ts';
import { touchstone } from '../cli/touchstone.ts';
import { startTouchstoneWith } from '../cli/touchstone-process.ts';

const SURFACES = ['nac3', 'app-mcp', 'dom'];
const TASK = 'T_MCP1_cancel_oldest_pending';
/** What is left of it is in the way of a second attempt. */
const CREATING = 'T_MCP4_create_invoice_full';
/** Two providers, whose fakes pass and fail. */
const MODELS = ['gpt-4o-mini', 'gemini-3.1-flash-lite'];
/** A limit against what hangs: many episodes, on a machine that may be busy. */
const HANGS_MS = 900_000;
const EPISODES = MODELS.length * SURFACES.length * 2;

/** How an episode ends by what its fake does in it; of the others it is the app's to say. */
const EXPECTED: Readonly<Record<string, string[]>> = {
  solves: ['passed'],
  'stops early': ['failed'],
  'claims that it is done': ['failed'],
  asks: ['agent_error'],
  'is cut off': ['agent_error'],
  refuses: ['gave_up'],
  'looks for ever': ['max_turns'],
  'names a phantom and stops': ['failed'],
};

const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-matrix-'));
const [campaign, whole, killed] = ['campaign.yaml', 'whole', 'killed'].map((name) => path.join(folder, name));
let scripts: Script[] = [];
let fakes: FakeModels | null = null;

beforeAll(async () => {
  const reference = path.join(folder, 'reference');
  const through = ['--task', `${TASK},${CREATING}`, '--surface', SURFACES.join(',')];
  const { exit, err } = await touchstone('run', 'protocols', ...through, '--out', reference);
  if (exit !== 0) throw new Error(err);
  scripts = await scriptsIn(reference);
  await writeFile(
    campaign ?? '',
    `title: Small
suites: [protocols]
tasks: [${TASK}]
agents: [${MODELS.join(', ')}]
surfaces: [${SURFACES.join(', ')}]
iterations: 2
seed: 600
max_turns: 10
workers: 2
`,
  );
  fakes = await startFakeModels(scripts);
}, HANGS_MS);

afterAll(async () => {
  await fakes?.close();
  await rm(folder, { recursive: true, force: true });
});

function variables(): Readonly<Record<string, string>> {
  return fakes?.variables ?? {};
}

async function run(bundle: string, ...args: string[]) {
  for (const [name, value] of Object.entries(variables())) vi.stubEnv(name, value);
  return await touchstone('run', '--verbose', ...args, '--out', bundle);
}

async function rowsOf(bundle: string): Promise<Row[]> {
  const lines = (await readFile(path.join(bundle, 'rows.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => Row.parse(JSON.parse(line)));
}

function sealed(bundle: string): number {
  const ledger = path.join(bundle, 'ledger.jsonl');
  return existsSync(ledger) ? readFileSync(ledger, 'utf8').split('"kind":"sealed"').length - 1 : 0;
}

function hashIn(out: string): string | undefined {
  return /outcome hash +(\w+)/.exec(out)?.[1];
}

describe('a matrix of fakes that follow a policy', () => {
  let [uninterrupted, calls]: [string | undefined, number] = [undefined, 0];

  beforeAll(async () => {
    const before = fakes?.answered() ?? 0;
    const ran = await run(whole ?? '', '--campaign', campaign ?? '');
    calls = (fakes?.answered() ?? 0) - before;
    uninterrupted = hashIn(ran.out);
  }, HANGS_MS);

  test('has every episode once, by iteration, with its pins, as a mock and never as the vendor’s model', async () => {
    const rows = await rowsOf(whole ?? '');
    expect(rows).toHaveLength(EPISODES);
    expect(new Set(rows.map(({ episode_id: id }) => id)).size).toBe(EPISODES);
    expect(rows.map(({ iteration }) => iteration)).toEqual(rows.map((_, at) => Math.floor((at / EPISODES) * 2)));
    for (const row of rows) {
      expect(row).toMatchObject({
        mode: 'mock',
        endpoint_kind: 'mock',
        model_id: `custom:${row.agent}@127.0.0.1`,
        temperature: 0,
        caps: { turns: 10, steps: 40 },
        timeouts: { model_call_ms: 90_000, settle_ms: 300 },
        retry_policy: { max_attempts: 3, max_model_retries: 2 },
        prompt_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    }
    expect(new Set(rows.map(({ prompt_hash: hash }) => hash)).size).toBe(1);
  });

  test('does in each cell what its policy requires, and passes some and not others', async () => {
    const rows = await rowsOf(whole ?? '');
    expect(new Set(rows.map(({ status }) => status === 'passed'))).toEqual(new Set([true, false]));
    for (const { agent: model, surface, task, status } of rows) {
      expect(EXPECTED[behaviourIn({ model, surface, task })] ?? [status]).toContain(status);
    }
  });

  test('counts every real call of a model as a turn', async () => {
    const rows = await rowsOf(whole ?? '');
    expect(rows.reduce((sum, { turns }) => sum + (turns ?? 0), 0)).toBe(calls);
  });

  test('never repeats what has failed', async () => {
    const attempts = await glob('episodes/*/*/row.json', { cwd: whole ?? '' });
    expect(attempts).toHaveLength(EPISODES);
    expect((await rowsOf(whole ?? '')).every(({ attempt, counts }) => attempt === 1 && counts)).toBe(true);
  });

  test('has in every row the checksum of the manifest that the seed’s own line prints', async () => {
    const line = 'sha256sum apps/invoice/manifest.json | head -c 12';
    const { stdout } = await promisify(execFile)('sh', ['-c', line]);
    expect(stdout).toMatch(/^[0-9a-f]{12}$/);
    const rows = await rowsOf(whole ?? '');
    expect(new Set(rows.map(({ manifest_checksum: checksum }) => checksum))).toEqual(new Set([stdout]));
  });

  test(
    'killed half-way and resumed, has the outcome hash of an uninterrupted one',
    async () => {
      const bundle = killed ?? '';
      const running = startTouchstoneWith(variables(), 'run', '--campaign', campaign ?? '', '--out', bundle);
      while (sealed(bundle) < EPISODES / 2) await pause(20);
      running.kill('SIGKILL');
      expect(await running.ended).toBeNull();
      const before = sealed(bundle);
      expect(before).toBeLessThan(EPISODES);
      for (const [name, value] of Object.entries(variables())) vi.stubEnv(name, value);
      const resumed = await touchstone('run', '--verbose', '--resume', bundle);
      expect(resumed.err).toContain(`${EPISODES} episodes planned, ${before} of them already done`);
      expect(hashIn(resumed.out)).toBe(uninterrupted);
      expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
    },
    HANGS_MS,
  );
});

test('an outage counts against no entrant on any surface: the episode is repeated on a fresh app', async () => {
  const refusals = new Map<string, number>();
  /** Down when only `done` is left to report, until three requests have failed. */
  const failureOf = (request: ModelRequest | null): Failure | null => {
    if (request === null) return null;
    const { script, results } = request;
    const refused = refusals.get(script.surface) ?? 0;
    if (results < script.calls.length || refused === 3) return null;
    refusals.set(script.surface, refused + 1);
    return 503;
  };
  const outages = await startFakeModels(scripts, { failureOf });
  const bundle = path.join(folder, 'outage');
  for (const [name, value] of Object.entries(outages.variables)) vi.stubEnv(name, value);
  const through = ['--agent', 'gemini-3.1-flash-lite', '--surface', SURFACES.join(',')];
  await touchstone('run', 'protocols', '--task', CREATING, ...through, '--out', bundle);
  await outages.close();
  // The first attempt of each is void: nothing of it is sealed.
  expect(await glob('episodes/*/1/row.json', { cwd: bundle })).toEqual([]);
  const ledger = await readFile(path.join(bundle, 'ledger.jsonl'), 'utf8');
  expect(ledger.split('"interruption":"outage"')).toHaveLength(SURFACES.length + 1);
  // An invoice that the first attempt had left would be in the way of the second.
  const rows = await rowsOf(bundle);
  expect(rows).toHaveLength(SURFACES.length);
  for (const row of rows) expect(row).toMatchObject({ status: 'passed', attempt: 2, retries: 0, counts: true });
});
