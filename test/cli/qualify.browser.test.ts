import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { readCountedRows } from '../../src/bundle/sealed-rows.ts';
import { Qualification } from '../../src/plan/qualification.ts';
import { calls, fakeAnthropic } from '../model/fake-anthropic.ts';
import { folderOf } from '../suite-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Ran, touchstone } from './touchstone.ts';

const links = (...names: string[]) => names.map((name) => `<a href="/${name}.html">${name}</a>`).join(' ');
const PAGES = {
  'index.html': `<h1>Index</h1>${links('tea', 'coffee', 'water', 'milk', 'juice')}`,
  'tea.html': `<h1>Tea</h1><p>It costs 42.</p>${links('index', 'coffee', 'water')}`,
  'coffee.html': `<h1>Coffee</h1><p>It costs 43.</p>${links('index', 'tea', 'water')}`,
};

beforeEach(async () => {
  vi.stubEnv('TOUCHSTONE_CACHE', await temporaryFolder());
});

/** One task: find the price of tea. `one_of` is what its contract takes for it. */
async function writeSuite(accepted: string, folder?: string): Promise<string> {
  const suite = path.join(folder ?? (await temporaryFolder()), 'prices');
  for (const each of ['site', 'tasks']) await mkdir(path.join(suite, each), { recursive: true });
  for (const [name, html] of Object.entries(PAGES))
    await writeFile(path.join(suite, 'site', name), `<!doctype html>${html}`);
  const world = 'world: { kind: local, sites: [{ origin: http://prices.localhost, static: site }] }';
  await writeFile(path.join(suite, 'suite.yaml'), `id: prices\ntitle: Prices\ntasks: [tasks/*]\n${world}\n`);
  const task = `id: price-of-tea
title: Price of tea
startUrl: http://prices.localhost/index.html
goal: Open the page about tea, and answer with its price.
success:
  kind: and
  children:
    - { kind: dom_text, selector: h1, contains: Tea }
    - { kind: answer, one_of: ${accepted} }
solutions:
  - steps: [{ do: click, role: link, name: tea }, { do: answer, value: '42' }]
nearMisses:
  - why: the price is that of coffee
    steps: [{ do: click, role: link, name: tea }, { do: answer, value: '43' }]
`;
  await writeFile(path.join(suite, 'tasks/price-of-tea.yaml'), task);
  return suite;
}

const proofIn = async (suite: string) =>
  Qualification.parse(JSON.parse(await readFile(path.join(suite, 'qualification.json'), 'utf8')));

const trials = (suite: string) => ['--out', path.join(suite, '../trials')];

const MADE = /^.*\/\d+ .*$/gm;
const FEW = ['-k', '2', '--perturbations', '2'];

let provedOnce: Promise<{ folder: string; first: Ran }> | null = null;

async function prove(): Promise<{ folder: string; first: Ran }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
  const live = path.join(folder, 'live');
  vi.stubEnv('TOUCHSTONE_CACHE', path.join(live, 'cache'));
  const suite = await writeSuite("['42']", live);
  const first = await touchstone('qualify', suite, ...trials(suite), ...FEW);
  await cp(live, path.join(folder, 'kept'), { recursive: true });
  return { folder, first };
}

afterAll(async () => {
  const proof = await provedOnce;
  if (proof !== null) await rm(proof.folder, { recursive: true });
});

/** A suite that was proved, as it was right after; its trials, whose folder is `evidence`, were made once for all tests. */
async function proved() {
  provedOnce ??= prove();
  const { folder, first } = await provedOnce;
  const live = path.join(folder, 'live');
  // In the same place, by which its trials are found.
  await rm(live, { recursive: true });
  await cp(path.join(folder, 'kept'), live, { recursive: true });
  vi.stubEnv('TOUCHSTONE_CACHE', path.join(live, 'cache'));
  expect(first.exit).toBe(0);
  const suite = path.join(live, 'prices');
  const again = async (...args: string[]) => {
    const { exit, err, out } = await touchstone('qualify', suite, ...trials(suite), ...args);
    return { exit, err, out, made: (err.match(MADE) ?? []).map((line) => line.split('  ')[2]) };
  };
  const [stored, ...others] = await readdir(path.join(live, 'cache/trials'));
  if (stored === undefined || others.length > 0) throw new Error('one task was proved');
  return {
    suite,
    first,
    task: path.join(suite, 'tasks/price-of-tea.yaml'),
    count: first.err.match(MADE)?.length ?? 0,
    again,
    evidence: path.join(live, 'cache/trials', stored),
  };
}

test('a sound task qualifies, its rows carry the proof, and their bundle verifies', async () => {
  const { suite, first, again } = await proved();
  expect(first.out).toContain('prices: 1 of 1 task qualifies');
  const proof = (await proofIn(suite)).tasks['price-of-tea'];
  expect(proof).toMatchObject({ verdict: 'qualified', reasons: [], reference: { passed: 2, of: 2 } });

  expect(await again()).toMatchObject({ exit: 0, err: 'prices: 1 task proved already\n' });
  expect((await proofIn(suite)).tasks['price-of-tea']).toEqual(proof);

  const bundle = path.join(suite, '../bundle');
  await touchstone('run', suite, '--out', bundle);
  const [row] = await readCountedRows(bundleLayout(bundle));
  expect(row?.qualification_hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await readFile(path.join(bundle, 'report.md'), 'utf8')).not.toContain('`not_qualified`');
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
});

test('an unreadable proof is made again, of the same trials, and the old one is kept', async () => {
  const { suite, again } = await proved();
  const before = await proofIn(suite);
  await writeFile(path.join(suite, 'qualification.json'), '{"schema_version":4}');
  expect((await touchstone('run', suite, '--out', path.join(suite, '../bundle'))).err).toContain('make it again');
  const { exit, err, made } = await again(...FEW);
  expect([exit, made]).toEqual([0, []]);
  expect(err).toContain('prices: its proof cannot be used, and is made again: ');
  expect(await proofIn(suite)).toEqual(before);
  const kept = /kept as (?<place>\S+)/.exec(err)?.groups?.['place'] ?? '';
  expect(await readFile(kept, 'utf8')).toBe('{"schema_version":4}');
});

test('a file added to the app makes the proof stale, and a run names the file', async () => {
  const { suite } = await proved();
  const milk = path.join(suite, 'site/milk.html');
  await writeFile(milk, '<!doctype html><h1>Milk</h1>');
  const later = new Date(Date.now() + 60_000);
  await utimes(milk, later, later);
  const seen = (file: string) => path.relative('.', path.join(suite, file));
  const { out } = await touchstone('run', suite, '--out', path.join(suite, '../bundle'), '--verbose');
  expect(out).toContain(
    `0 of 1 task qualifies; stale proof of price-of-tea, because of a change to the app (a file in ${seen('site')}, or its entry in ${seen('suite.yaml')}; changed or added after the proof was made: ${seen('site/milk.html')}): touchstone qualify`,
  );
});

test('trials that run at once make the same proof as in sequence', async () => {
  const suite = await writeSuite("['42']");
  const bundles = path.join(suite, '../trials');
  const proofWith = async (workers: string) => {
    const { exit } = await touchstone('qualify', suite, '--out', bundles, ...FEW, '--again', '--workers', workers);
    expect(exit).toBe(0);
    const left = await readdir(bundles);
    expect(left).toHaveLength(2);
    const rows = (
      await Promise.all(left.map((each) => readCountedRows(bundleLayout(path.join(bundles, each)))))
    ).flat();
    const { trials: _record, ...proof } = (await proofIn(suite)).tasks['price-of-tea'] ?? {};
    return { proof, atOnce: [...new Set(rows.map(({ concurrency }) => concurrency?.workers ?? 1))] };
  };
  const [one, three] = [await proofWith('1'), await proofWith('3')];
  expect(one).toMatchObject({ atOnce: [1], proof: { verdict: 'qualified' } });
  expect(three).toEqual({ ...one, atOnce: [3] });
});

async function change(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
}

describe('a stale proof is tried again only for what its change concerns', async () => {
  test('a contract is judged on the stored evidence, without a browser, and as strictly', async () => {
    const { suite, task, again } = await proved();
    await change(task, "one_of: ['42']", "one_of: ['42', '42.0']");
    expect(await again()).toMatchObject({ exit: 0, made: [], err: expect.stringContaining('no browser is needed') });
    expect((await proofIn(suite)).tasks['price-of-tea']).toMatchObject({ verdict: 'qualified', reference: { of: 2 } });
    await change(task, "one_of: ['42', '42.0']", "one_of: ['42', '43']");
    const loose = await again();
    expect(loose).toMatchObject({ exit: 1, made: [] });
    expect(loose.out).toContain('the near-miss "the price is that of coffee"');
    expect(loose.out).toMatch(/success\.children\[1\] \(answer\)\n {4}expected {2}.*\n {4}observed {2}“43”/);
    expect(loose.out).toMatch(
      /that of coffee" and the incorrect end .* passed, but must fail \(its answer differs\): every clause/,
    );
    expect(loose.out).not.toContain('its end state is not a right one');
    expect((await proofIn(suite)).tasks['price-of-tea']).toMatchObject({ verdict: 'unqualified' });
    await change(task, 'contains: Tea', 'contains: Index');
    await change(task, "    - { kind: answer, one_of: ['42', '43'] }\n", '');
    expect((await again()).out).toContain('the start is not as required');
  });

  test('an added near-miss is the only trial, and a changed solution leaves near-misses alone', async () => {
    const { suite, task, again } = await proved();
    await change(
      task,
      'nearMisses:\n',
      'nearMisses:\n  - why: no answer\n    steps: [{ do: click, role: link, name: tea }]\n',
    );
    expect(await again()).toMatchObject({ exit: 0, made: ['near-miss-1'] });
    expect((await proofIn(suite)).tasks['price-of-tea']?.near_misses).toMatchObject([
      { why: 'no answer', status: 'failed' },
      { why: 'the price is that of coffee', status: 'failed' },
    ]);
    await change(task, '  - steps: [{ do: click,', '  - steps: [{ do: read }, { do: click,');
    const { made } = await again();
    expect(made).toContain('reference-2');
    expect(made.filter((id) => id === undefined || /near-miss|null|parrot|quitter|random/.test(id))).toEqual([]);
  });

  test('edited evidence is made again instead of believed, and so is all of it on request', async () => {
    const { task, count, again, evidence } = await proved();
    for (const name of await readdir(evidence))
      await writeFile(path.join(evidence, name), '{"schema_version":1,"trials":[]}');
    await change(task, "one_of: ['42']", "one_of: ['42', '42.0']");
    const edited = await again();
    expect(edited).toMatchObject({
      exit: 0,
      err: expect.stringContaining('price-of-tea: stored trials are not used: blob'),
    });
    expect(edited.made).toHaveLength(count);
    expect((await again('--again')).made).toHaveLength(count);
  });
});

test('a run with a proof that lacks a change of the contract does not meet its gates', async () => {
  const { suite } = await proved();
  const proof = await proofIn(suite);
  const task = proof.tasks['price-of-tea'];
  if (task === undefined) throw new Error('there is no proof');
  const { mutants, ...rest } = task;
  const run = async (kept: typeof mutants) => {
    const edited = { ...proof, tasks: { 'price-of-tea': { ...rest, mutants: kept } } };
    await writeFile(path.join(suite, 'qualification.json'), JSON.stringify(edited));
    return await touchstone('run', suite, '--out', path.join(await temporaryFolder(), 'bundle'));
  };
  expect(await run(mutants)).toMatchObject({ exit: 0, out: expect.stringContaining('all met') });
  const { exit, out, err } = await run(mutants.slice(1));
  expect(exit).toBe(1);
  expect(out).toContain('not met: the bundle does not verify');
  expect(err).toContain('the proof of prices/price-of-tea has other mutants than the plan');
});

/** The same, if only the answer counts; qualified with a model that gives it without looking. */
async function closedBook(value: string) {
  const { suite, task, again } = await proved();
  await change(task, '    - { kind: dom_text, selector: h1, contains: Tea }\n', '');
  await using fake = await fakeAnthropic([calls(['done', { answer: value }])]);
  vi.stubEnv('ANTHROPIC_BASE_URL', fake.url);
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-closed-book-test');
  const { exit, made } = await again('--closed-book', 'claude-sonnet-4-6');
  expect(made).toEqual(['closed-book']);
  return { exit, asked: fake.asked, proof: (await proofIn(suite)).tasks['price-of-tea'] };
}

test('a task whose answer a model knows without looking is trivial', async () => {
  const { exit, asked, proof } = await closedBook('42');
  expect(proof).toMatchObject({ verdict: 'trivial', controls: { 'closed-book': 'passed' } });
  expect(proof?.reasons).toContain('trivial: closed-book passed');
  expect(exit).toBe(1);
  expect(asked.map(({ body }) => body.tools.map(({ name }) => name))).toEqual([['done', 'give_up']]);
});

test('a task whose answer it does not know is not', async () => {
  const { proof } = await closedBook('7');
  expect(proof).toMatchObject({ controls: { 'closed-book': 'failed' } });
  expect(proof?.reasons).not.toContain('trivial: closed-book passed');
});

test.each([
  [['--closed-book', 'nosuch'], 'docs/models.md names the models'],
  [['--closed-book', 'claude-haiku-4-5'], 'docs/models.md names the models, and the key of each'],
  [['--prompt', 'brief'], 'name one with --closed-book'],
])('%s is refused, with a remedy that this command has', async (asked, remedy) => {
  vi.stubEnv('ANTHROPIC_API_KEY', '');
  const { exit, err } = await touchstone('qualify', await writeSuite("['42']"), ...asked);
  expect(exit).toBe(2);
  expect(err).toContain(remedy);
  expect(err).not.toMatch(/--cassette|--agent|parrot/);
});

const TICKING = `import { defineApp } from 'touchstone';
export default defineApp(() => {
  let due = 0;
  const [at, more] = [1, 2].map(() => process.hrtime.bigint().toString());
  const page = '<!doctype html><h1>Loans</h1><form method="post" action="/renew"><button>Renew</button></form>';
  return {
    state: () => ({ due, at, more }),
    async fetch(request) {
      if (request.method === 'POST') due = 30;
      return new Response(page, { headers: { 'content-type': 'text/html' } });
    },
  };
});
`;

test('state that changes by itself makes no end incorrect, and is reported if no guard excepts it', async () => {
  const world = 'world: { kind: local, sites: [{ origin: http://loans.localhost, app: app.ts }] }';
  const task = (id: string, guards: string) => `id: ${id}
title: Renew
startUrl: http://loans.localhost/
goal: Renew the loan.
success: { kind: app_state, pointer: /due, equals: 30 }
${guards}solutions:
  - steps: [{ do: click, role: button, name: Renew }]
nearMisses:
  - why: nothing was renewed
    steps: [{ do: go, url: 'http://loans.localhost/other' }]
`;
  const guards = 'guards: { kind: unchanged, except: [/due, /at, /more] }\n';
  const suite = await folderOf(
    {
      'app.ts': TICKING,
      'suite.yaml': `id: loans\ntitle: Loans\ntasks: [tasks/*]\n${world}\n`,
      'tasks/guarded.yaml': task('guarded', guards),
      'tasks/open.yaml': task('open', ''),
    },
    'loans',
  );
  await touchstone('qualify', suite, ...trials(suite), '-k', '1', '--perturbations', '3');
  const { tasks } = await proofIn(suite);
  expect(tasks['open']).toMatchObject({ volatile: ['/at', '/more'], perturbed: { false_passes: [] } });
  expect(tasks['guarded']).toMatchObject({ volatile: [], perturbed: { false_passes: [] } });
  for (const { perturbed } of Object.values(tasks)) expect(perturbed.right.of).toBeGreaterThan(0);
});

test('a task that changes only its page does not qualify, with the reason and a remedy', async () => {
  const press = 'document.querySelector(`p`).textContent = `lit`';
  const page = `<!doctype html><h1>Lamp</h1><p>dark</p><button onclick="${press}">Light</button><button>Other</button>`;
  const world = 'world: { kind: local, sites: [{ origin: http://lamp.localhost, static: site }] }';
  const task = `id: light
title: Light
startUrl: http://lamp.localhost/index.html
goal: Light the lamp.
success: { kind: dom_text, selector: p, equals: lit }
solutions:
  - steps: [{ do: click, role: button, name: Light }]
nearMisses:
  - why: another button
    steps: [{ do: click, role: button, name: Other }]
`;
  const suite = await folderOf(
    {
      'site/index.html': page,
      'suite.yaml': `id: lamp\ntitle: Lamp\ntasks: [tasks/*]\n${world}\n`,
      'tasks/light.yaml': task,
    },
    'lamp',
  );
  const { exit, out } = await touchstone('qualify', suite, ...trials(suite), '-k', '1', '--perturbations', '2');
  expect(exit).toBe(1);
  expect(out).toContain('light: no end state that is not right was tried\nlight: this task leaves nothing behind but');
  expect(out).toContain('let the app keep state (`program` with `state`), change the address');
});

test('--closed-book takes only models', async () => {
  const { exit, err } = await touchstone('qualify', await writeSuite("['42']"), '--closed-book', 'parrot');
  expect(exit).toBe(2);
  expect(err).toContain('--closed-book: parrot is not a model');
});
