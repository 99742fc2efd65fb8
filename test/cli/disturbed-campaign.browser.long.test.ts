import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Failure, startFakeModels } from '../../bench/mock-models/fake-models.ts';
import { type Script, scriptsIn } from '../../bench/mock-models/scripts.ts';
import { MODEL_TIMEOUT_MS, MAX_RETRIES } from '../../src/model/patient.ts';
import { touchstone } from './touchstone.ts';

const [TASKS, SURFACES, EPISODES] = ['dialog-delete,local-form-submit,late-order', 'aria,dom', 18];
/** Failures in a row after which a campaign pauses; each is a call and its repetitions. */
const MAX_IN_VAIN = 3 * (1 + MAX_RETRIES);
/** Time limit of a call here, in ms: the provider is sometimes silent on purpose, and on a busy machine slow without meaning to be. */
const SHORT_MS = 2_000;
const HANGS_MS = 900_000;

/** A time in which the provider fails: for so many requests, or until it is fixed, so many resumes later. */
interface Trouble {
  with: Failure;
  lasts: { requests: number } | { resumes: number };
}

/** In an order that the seed draws. */
const TROUBLES: readonly Trouble[] = [
  { with: 401, lasts: { resumes: 1 } },
  { with: 402, lasts: { resumes: 2 } },
  // Through a pause, the question before the next run, and that of the run after it.
  { with: 429, lasts: { requests: MAX_IN_VAIN + 3 } },
  { with: 429, lasts: { requests: 2 } },
  { with: 'silence', lasts: { requests: 4 } },
  { with: 'silence', lasts: { requests: MAX_IN_VAIN } },
];

const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-disturbed-'));
const campaign = path.join(folder, 'campaign.yaml');
const undisturbed = path.join(folder, 'undisturbed');
let scripts: Script[] = [];
let asked = 0;

beforeAll(async () => {
  const reference = path.join(folder, 'reference');
  const { exit, err } = await touchstone('run', 'basics', '--task', TASKS, '--surface', SURFACES, '--out', reference);
  if (exit !== 0) throw new Error(err);
  scripts = await scriptsIn(reference);
  await writeFile(
    campaign,
    `suites: [basics]
tasks: [${TASKS}]
agents: [gpt-4o-mini]
surfaces: [${SURFACES}]
iterations: 3
max_turns: 10
max_tokens: 400000
times: true
`,
  );
  const fakes = await startFakeModels(scripts);
  for (const [name, value] of Object.entries(fakes.variables)) vi.stubEnv(name, value);
  await touchstone('run', '--campaign', campaign, '--out', undisturbed);
  vi.unstubAllEnvs();
  await fakes.close();
  asked = fakes.answered();
}, HANGS_MS);

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

class TroubledProvider {
  readonly #queue: (Trouble & { at: number })[];
  #now: Trouble | null = null;
  #requests = 0;
  #since = 0;
  /** Requests that came to nothing in a row, before one that was answered or a pause. */
  inVain: Failure[][] = [[]];

  constructor(seed: string, requests: number) {
    const draw = (what: string): number =>
      createHash('sha256').update(`${seed} ${what}`).digest().readUInt32BE() / 2 ** 32;
    const drawn = TROUBLES.map((trouble, index) => ({ trouble, by: draw(`order ${index}`) }));
    const slice = requests / TROUBLES.length;
    this.#queue = drawn
      .toSorted((a, b) => a.by - b.by)
      .map(({ trouble }, index) => ({ ...trouble, at: Math.ceil(slice * (index + draw(`point ${index}`))) }));
  }

  get isThrough(): boolean {
    return this.#queue.length === 0 && this.#now === null;
  }

  /** Draws the failure of the next request; null where it is answered. */
  failure(): Failure | null {
    this.#requests += 1;
    if (this.#now === null && this.#requests >= (this.#queue[0]?.at ?? Infinity)) {
      this.#now = this.#queue.shift() ?? null;
      this.#since = 0;
    }
    if (this.#now === null) {
      if (this.inVain.at(-1)?.length !== 0) this.inVain.push([]);
      return null;
    }
    const { with: failure, lasts } = this.#now;
    this.#since += 1;
    if ('requests' in lasts && this.#since === lasts.requests) this.#now = null;
    this.inVain.at(-1)?.push(failure);
    return failure;
  }

  resumed(): void {
    this.inVain.push([]);
    if (this.#now === null || 'requests' in this.#now.lasts) return;
    const left = this.#now.lasts.resumes - 1;
    this.#now = left === 0 ? null : { ...this.#now, lasts: { resumes: left } };
  }
}

/** The result of a campaign, without times and money. */
async function outcomeOf(bundle: string) {
  const { outcome_hash: hash, claims, episodes } = JSON.parse(await readFile(path.join(bundle, 'report.json'), 'utf8'));
  const entrants = claims.entrants.map((entrant: Record<string, unknown>) => ({ ...entrant, spending: null }));
  return { hash, entrants, comparisons: claims.comparisons, others: claims.other_axes, episodes: episodes.length };
}

test.each(['first', 'second'])(
  'a campaign whose provider fails at random points has the outcome of an undisturbed one, and asks little in vain: %s draw',
  async (seed) => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === MODEL_TIMEOUT_MS ? SHORT_MS : ms));
    const provider = new TroubledProvider(seed, asked);
    const troubled = await startFakeModels(scripts, { failureOf: () => provider.failure() });
    for (const [name, value] of Object.entries(troubled.variables)) vi.stubEnv(name, value);
    const disturbed = path.join(folder, seed);
    let { exit, out } = await touchstone('run', '--campaign', campaign, '--out', disturbed);
    let pauses = 0;
    for (; exit === 4; pauses += 1) {
      expect(out).toContain(`touchstone run --resume ${disturbed}`);
      provider.resumed();
      ({ exit, out } = await touchstone('run', '--resume', disturbed, '--times'));
    }
    await troubled.close();

    expect(provider.isThrough).toBe(true);
    // 401, 402 twice and 429 twice at the least; the long silence can end in the last attempt before a pause.
    expect(pauses).toBeGreaterThanOrEqual(5);
    for (const vain of provider.inVain) {
      expect(vain.length).toBeLessThanOrEqual(MAX_IN_VAIN);
      // A rejected account is tried once, and never again before it is fixed.
      expect(vain.filter((failure) => failure === 401 || failure === 402).length).toBeLessThanOrEqual(1);
    }
    const [came, expected] = [await outcomeOf(disturbed), await outcomeOf(undisturbed)];
    expect(expected.episodes).toBe(EPISODES);
    expect(came).toEqual(expected);
    const rows = (await readFile(path.join(disturbed, 'rows.jsonl'), 'utf8')).trim().split('\n');
    expect(rows.filter((row) => JSON.parse(row).retries !== 0)).toEqual([]);
    expect(await touchstone('verify', disturbed)).toMatchObject({ exit: 0 });
  },
  HANGS_MS,
);
