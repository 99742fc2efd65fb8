import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../src/contract/canonical.ts';
import { type Ran, touchstone } from './touchstone.ts';

const SECRET = 'a secret of thirty-two bytes, ok';
const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
const [suite, bundle] = [path.join(folder, 'suite'), path.join(folder, 'bundle')];
const [own, other, short] = [path.join(folder, 'own'), path.join(folder, 'other'), path.join(folder, 'short')];

const WORLD = '{ kind: local, sites: [{ origin: http://small.localhost, static: site }] }';
const COUNT = `id: count
title: Count
startUrl: about:blank
goal: Open page {{page}}.
instances: [{ name: one, parameters: { page: 1 } }]
draw: { page: { from: 1, to: 100000 } }
success: { kind: url, pattern: 'page={{page}}$' }
solutions: [{ steps: [{ do: go, url: 'http://small.localhost/?page={{page}}' }] }]
`;
const HEADING = `id: heading
title: Heading
startUrl: about:blank
goal: Open http://small.localhost/.
success: { kind: dom_text, selector: h1, contains: Hello }
solutions: [{ steps: [{ do: go, url: 'http://small.localhost/' }] }]
`;

beforeAll(async () => {
  await mkdir(path.join(suite, 'site'), { recursive: true });
  await writeFile(path.join(suite, 'site/index.html'), '<!doctype html><h1>Hello</h1>');
  await writeFile(
    path.join(suite, 'suite.yaml'),
    `id: small\ntitle: Small\ntasks: [count.yaml, heading.yaml]\nworld: ${WORLD}\n`,
  );
  await writeFile(path.join(suite, 'count.yaml'), COUNT);
  await writeFile(path.join(suite, 'heading.yaml'), HEADING);
  await writeFile(own, SECRET);
  await writeFile(other, SECRET.toUpperCase());
  await writeFile(short, 'too short');
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

describe('a secret file is refused', () => {
  test.each([
    ['that is missing', [suite, '--secret-file', path.join(folder, 'missing')], 'cannot be read'],
    ['that is too short', [suite, '--secret-file', short], 'has fewer than 16 bytes'],
    ['if it would draw nothing', [suite, '--task', 'heading', '--secret-file', own], 'would draw nothing'],
  ])('%s', async (_what, args, problem) => {
    const { exit, err } = await touchstone('plan', ...args);
    expect(exit).toBe(2);
    expect(err).toContain(problem);
  });
});

test('another secret makes another plan', async () => {
  const planned = async (secret: string) => (await touchstone('plan', suite, '--secret-file', secret)).out;
  expect(await planned(own)).toBe(await planned(own));
  expect(await planned(own)).not.toBe(await planned(other));
});

describe('a run with a secret', () => {
  let ran: Ran;
  beforeAll(async () => {
    ran = await touchstone('run', suite, '--secret-file', own, '--out', bundle);
  }, 240_000);

  test('names the tasks that it cannot draw', () => {
    expect(ran.exit).toBe(0);
    expect(ran.err).toContain('1 instance drawn from the secret; without "draw", and so as listed: small/heading');
  });

  test('pins its hash, and keeps it out of the bundle', async () => {
    expect(JSON.parse(await readFile(path.join(bundle, 'campaign.json'), 'utf8'))).toMatchObject({
      plan: { secret_hash: sha256Hex(SECRET), tasks: [{ task: { instance: { name: 'drawn-1' } } }, {}] },
    });
    const files = (await readdir(bundle, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
    const texts = await Promise.all(files.map(async (each) => readFile(path.join(each.parentPath, each.name), 'utf8')));
    expect(texts.filter((text) => text.includes(SECRET))).toEqual([]);
  });

  test('verifies for a stranger, at a higher level for the owner of the secret, and not with another', async () => {
    const levels = async (...more: string[]) => {
      const { exit, out } = await touchstone('verify', bundle, ...more, '--json');
      return [exit, JSON.parse(out).levels];
    };
    expect(await levels()).toEqual([0, ['consistent']]);
    expect(await levels('--secret-file', own)).toEqual([0, ['consistent', 'drawn']]);
    expect(await levels('--secret-file', other)).toEqual([1, []]);
  });

  test('is judged again by the contracts that its secret draws from the suite', async () => {
    const changes = async (...more: string[]) => {
      const { out } = await touchstone('rejudge', bundle, suite, ...more, '--json');
      const { contracts_changed: changed, tasks_gone: gone } = JSON.parse(out);
      return { changed, gone };
    };
    expect(await changes()).toEqual({ changed: [], gone: ['small/count@drawn-1'] });
    expect(await changes('--secret-file', own)).toEqual({ changed: [], gone: [] });
    const { exit, err } = await touchstone('rejudge', bundle, suite, '--secret-file', other);
    expect([exit, err]).toEqual([2, expect.stringContaining('were drawn from another secret')]);
  });

  test('can be run again by a stranger', async () => {
    const { exit, out } = await touchstone('verify', bundle, suite, '--rerun', '100%');
    expect([exit, out]).toEqual([0, expect.stringContaining('2 of 2 had the same result')]);
  }, 240_000);

  test('is resumed only with the same secret', async () => {
    const begun = path.join(folder, 'begun');
    await mkdir(begun);
    await cp(path.join(bundle, 'campaign.json'), path.join(begun, 'campaign.json'));
    const without = await touchstone('run', '--resume', begun, suite);
    expect(without.err).toContain('were drawn from a secret');
    const another = await touchstone('run', '--resume', begun, suite, '--secret-file', other);
    expect(another.err).toContain('were drawn from another secret');
    expect([without.exit, another.exit]).toEqual([2, 2]);
    expect(await touchstone('run', '--resume', begun, suite, '--secret-file', own)).toMatchObject({ exit: 0 });
  }, 240_000);
});

test('qualify proves what a secret draws', async () => {
  const few = ['-k', '1', '--perturbations', '0', '--out', path.join(folder, 'trials')];
  await touchstone('qualify', suite, '--task', 'count', '--secret-file', own, ...few);
  const { tasks } = JSON.parse(await readFile(path.join(suite, 'qualification.json'), 'utf8'));
  expect(Object.keys(tasks)).toEqual(['count@drawn-1']);
}, 240_000);
