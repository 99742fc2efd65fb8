import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Task } from '../../src/task/schema.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { stagedBundle } from '../check/staged-bundle.ts';
import { evidence, page } from '../contract/evidence-sample.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const PASSED = {
  task: Task.parse({
    id: 'send',
    title: 'Send a message',
    startUrl: 'http://shop.localhost/',
    goal: 'Send it',
    success: { kind: 'url', pattern: '/sent$' },
  }),
  start: evidence(),
  end: evidence({ pages: [page({ url: 'http://shop.localhost/sent' })] }),
  row: { status: 'passed', stop: 'done', goal_verdict: 'pass', guard_verdict: 'pass', failed_contract: null },
} as const;

test('a bundle whose rows all follow from their evidence agrees, and the command ends with 0', async () => {
  const { layout } = await stagedBundle(PASSED);
  expect(await touchstone('rejudge', layout.root)).toMatchObject({
    exit: 0,
    out: '1 episode judged again, 1 agree\n',
  });
});

test('a bundle whose ledger was cut lacks episodes, and the command ends with 1', async () => {
  const { layout } = await stagedBundle(PASSED);
  await writeFile(layout.ledger, '');
  const { exit, out } = await touchstone('rejudge', layout.root);
  expect(exit).toBe(1);
  expect(out).toContain('0 episodes judged again, 0 agree, 1 of the plan missing');
  expect(out).toContain('the bundle has no row that counts for it');
});

test('--json counts what is missing apart', async () => {
  const { layout } = await stagedBundle(PASSED);
  await writeFile(layout.ledger, '');
  const { exit, out } = await touchstone('rejudge', layout.root, '--json');
  expect(exit).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ judged: 0, agree: 0, missing: 1, differing: [{ recorded: null }] });
});

test('a row that is none is told for its episode, and the command ends with 1', async () => {
  const { layout } = await stagedBundle(PASSED, {
    tamper: async ({ attempt }) => {
      const file = join(attempt, 'row.json');
      await writeFile(file, (await readFile(file, 'utf8')).replace('"status":"passed"', '"status":"failed"'));
    },
  });
  const { exit, out } = await touchstone('rejudge', layout.root);
  expect(exit).toBe(1);
  expect(out).toMatch(/send +model +unreadable +not judged .*row\.json is not a row: status contradicts/);
  expect(out).toContain('1 episode judged again, 0 agree\n');
});

test('a row that differs is told with the reason', async () => {
  const { layout } = await stagedBundle({ ...PASSED, start: PASSED.end });
  const { exit, out } = await touchstone('rejudge', layout.root);
  expect(exit).toBe(1);
  expect(out).toContain('its task was invalid at the start: success was pass');
  expect(out).toContain('1 episode judged again, 0 agree\n');
});

/** A suite with the task of {@link PASSED}, as its author has it now. */
async function suiteWith(success: string, id: string = SAMPLE.suite, task = 'send'): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'site'));
  await writeFile(join(folder, 'site/index.html'), '<!doctype html><title>Shop</title>');
  await writeFile(
    join(folder, 'suite.yaml'),
    `id: ${id}\ntitle: Shop\ntasks: [send.yaml]\nworld: { kind: local, sites: [{ origin: http://shop.localhost, static: site }] }\n`,
  );
  await writeFile(
    join(folder, 'send.yaml'),
    `id: ${task}\ntitle: Send a message\nstartUrl: http://shop.localhost/\ngoal: Send it\nsuccess: ${success}\n`,
  );
  return folder;
}

const SENT = "{ kind: url, pattern: '/sent$' }";
const THANKED = "{ kind: url, pattern: '/thanks$' }";
const SENT_OR_THANKED = "{ kind: url, pattern: '/(sent|thanks)$' }";
const { failed_contract: _, ...JUDGED } = PASSED.row;
const NOT_THANKED = {
  ...PASSED,
  task: Task.parse({ ...PASSED.task, success: { kind: 'url', pattern: '/thanks$' } }),
  row: {
    ...JUDGED,
    status: 'failed',
    goal_verdict: 'fail',
    failed_contract: { path: 'success', kind: 'url', expected: 'URL matching /thanks$/', observed: null },
  },
} as const;

test('by the contracts of a suite that is as it was, everything agrees', async () => {
  const { layout } = await stagedBundle(PASSED);
  const { exit, out } = await touchstone('rejudge', layout.root, await suiteWith(SENT));
  expect({ exit, out }).toEqual({ exit: 0, out: '1 episode judged again, 1 agree\n' });
});

test('a contract that was made stricter shows whom it fails now, and the bundle stays as it was', async () => {
  const { layout } = await stagedBundle(PASSED);
  const before = await readFile(layout.ledger, 'utf8');
  const { exit, out } = await touchstone('rejudge', layout.root, await suiteWith(THANKED));
  expect(exit).toBe(1);
  expect(out).toContain('status was recorded as passed and is failed');
  expect(out).toContain(`${SAMPLE.suite}/send is judged by another contract than in the plan`);
  expect(out).toContain('1 episode judged again, 0 agree\n');
  expect(await readFile(layout.ledger, 'utf8')).toBe(before);
  expect(await touchstone('rejudge', layout.root)).toMatchObject({ exit: 0 });
});

test('a loosened contract flips those that it lets pass, and no others', async () => {
  const loosened = await suiteWith(SENT_OR_THANKED);
  const flipped = await touchstone('rejudge', (await stagedBundle(NOT_THANKED)).layout.root, loosened, '--json');
  expect(flipped.exit).toBe(1);
  expect(JSON.parse(flipped.out)).toMatchObject({
    judged: 1,
    agree: 0,
    contracts_changed: [`${SAMPLE.suite}/send`],
    differing: [{ recorded: { status: 'failed' }, rejudged: { status: 'passed' } }],
  });
  const elsewhere = { ...NOT_THANKED, end: evidence({ pages: [page({ url: 'http://shop.localhost/cart' })] }) };
  const stays = await touchstone('rejudge', (await stagedBundle(elsewhere)).layout.root, loosened, '--json');
  expect(stays.exit).toBe(0);
  expect(JSON.parse(stays.out)).toMatchObject({ agree: 1, contracts_changed: [`${SAMPLE.suite}/send`] });
});

test('a task that the suite no longer has is judged by the plan, and told', async () => {
  const { layout } = await stagedBundle(PASSED);
  const { exit, out } = await touchstone('rejudge', layout.root, await suiteWith(SENT, SAMPLE.suite, 'other'));
  expect(exit).toBe(0);
  expect(out).toContain(`${SAMPLE.suite}/send is no task there`);
});

test('a suite that the campaign did not run is refused', async () => {
  const { layout } = await stagedBundle(PASSED);
  const { exit, err } = await touchstone('rejudge', layout.root, await suiteWith(SENT, 'another'));
  expect(exit).toBe(2);
  expect(err).toContain('the campaign did not run the suite "another"');
});

test.each([
  ['account', 'account'],
  ['protocols', 'protocols'],
  ['realapps', 'realapps'],
  ['stress', 'stress'],
  ['basics', 'tool-servers'],
  ['webvoyager', 'webvoyager'],
])('every episode of the bundle of %s agrees by the contracts that its suite has now', async (suite, bundle) => {
  const { exit, out } = await touchstone('rejudge', `docs/bundles/${bundle}`, suite, '--json');
  expect(JSON.parse(out)).toMatchObject({ contracts_changed: [], tasks_gone: [], differing: [] });
  expect(exit).toBe(0);
});
