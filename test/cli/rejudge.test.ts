import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Task } from '../../src/task/schema.ts';
import { stagedBundle } from '../check/staged-bundle.ts';
import { evidence, page } from '../contract/evidence-sample.ts';
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
