import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { smallBundles, packedBundle } from '../../scripts/draw-bundles.ts';
import type { Rejudgement } from '../../src/verify/rejudge.ts';
import { perceptualHash } from '../../src/contract/picture/perceptual-hash.ts';
import { present } from '../../src/contract/evidence.ts';
import { Task } from '../../src/task/schema.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { stagedBundle } from '../verify/staged-bundle.ts';
import { evidence, page } from '../contract/evidence-sample.ts';
import { layout as drawing } from '../contract/picture/picture-sample.ts';
import { ARIA } from '../plan/sample-plan.ts';
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

test('a bundle whose rows follow from their evidence agrees', async () => {
  const { layout } = await stagedBundle(PASSED);
  const agreed = { exit: 0, out: '1 episode judged again, 1 agree\n' };
  expect(await touchstone('rejudge', layout.root)).toMatchObject(agreed);
  expect(await touchstone('rejudge', layout.root, await suiteWith(SENT))).toMatchObject(agreed);
});

test('a bundle whose ledger was cut lacks episodes', async () => {
  const { layout } = await stagedBundle(PASSED);
  await writeFile(layout.ledger, '');
  const { exit, out } = await touchstone('rejudge', layout.root);
  expect(exit).toBe(1);
  expect(out).toContain('0 episodes judged again, 0 agree, 1 of the plan missing');
  expect(out).toContain('no row in the bundle counts for it');
  const json = await touchstone('rejudge', layout.root, '--json');
  expect(json.exit).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({ judged: 0, agree: 0, missing: 1, differing: [{ recorded: null }] });
});

test('an unreadable row is reported for its episode, and the command exits with 1', async () => {
  const { layout } = await stagedBundle(PASSED, {
    tamper: async ({ attempt }) => {
      const file = join(attempt, 'row.json');
      await writeFile(file, (await readFile(file, 'utf8')).replace('"status":"passed"', '"status":"failed"'));
    },
  });
  const { exit, out } = await touchstone('rejudge', layout.root);
  expect(exit).toBe(1);
  expect(out).toMatch(/send +model +unreadable +not judged .*row\.json is not a row: status contradicts/);
  expect(out).toContain('0 episodes judged again, 0 agree, 1 could not be judged\n');
});

test('a row that differs is reported with the reason', async () => {
  const { layout } = await stagedBundle({ ...PASSED, start: PASSED.end });
  const { exit, out } = await touchstone('rejudge', layout.root);
  expect(exit).toBe(1);
  expect(out).toContain('its task was invalid at the start: success was pass');
  expect(out).toContain('0 episodes judged again, 0 agree, 1 could not be judged\n');
});

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

test('a stricter contract shows which rows fail now, and leaves the bundle unchanged', async () => {
  const { layout } = await stagedBundle(PASSED);
  const before = await readFile(layout.ledger, 'utf8');
  const { exit, out } = await touchstone('rejudge', layout.root, await suiteWith(THANKED));
  expect(exit).toBe(1);
  expect(out).toContain('status was recorded as passed, but is failed');
  expect(out).toContain(`${SAMPLE.suite}/send now has a different contract from the plan`);
  expect(out).toContain('1 episode judged again, 0 agree\n');
  expect(await readFile(layout.ledger, 'utf8')).toBe(before);
  expect(await touchstone('rejudge', layout.root)).toMatchObject({ exit: 0 });
});

test('a loosened contract flips the rows that it accepts, and no others', async () => {
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

test('a task that the suite no longer has is judged by the plan, and reported', async () => {
  const { layout } = await stagedBundle(PASSED);
  const { exit, out } = await touchstone('rejudge', layout.root, await suiteWith(SENT, SAMPLE.suite, 'other'));
  expect(exit).toBe(0);
  expect(out).toContain(`${SAMPLE.suite}/send is no longer in its suite`);
});

test('a suite that the campaign did not run is refused', async () => {
  const { layout } = await stagedBundle(PASSED);
  const { exit, err } = await touchstone('rejudge', layout.root, await suiteWith(SENT, 'another'));
  expect(exit).toBe(2);
  expect(err).toContain('the campaign did not run the suite "another"');
});

async function accountWith(part: string, other: string): Promise<string> {
  const suite = join(await temporaryFolder(), 'account');
  await cp('suites/account', suite, { recursive: true });
  await cp('apps/account', join(suite, 'app'), { recursive: true });
  const suiteFile = join(suite, 'suite.yaml');
  await writeFile(suiteFile, (await readFile(suiteFile, 'utf8')).replace('../../apps/account/', 'app/'));
  const file = join(suite, 'tasks/change-address.yaml');
  const task = await readFile(file, 'utf8');
  expect(task).toContain(part);
  await writeFile(file, task.replace(part, other));
  return suite;
}

/** What differs when the bundle of `account` is judged by this suite: task, entrant, what the verdicts were and are, and why. */
async function flipsBy(suite: string): Promise<{ flips: unknown[]; judged: number; agree: number; changed: string[] }> {
  const { out } = await touchstone('rejudge', 'docs/bundles/account.zip', suite, '--json');
  const { differing, judged, agree, contracts_changed: changed } = JSON.parse(out);
  const shortened = ({ task, agent, surface, recorded, rejudged, why }: Rejudgement) => [
    `${task} by ${agent} through ${surface}`,
    `${recorded?.status} ${recorded?.goal} ${recorded?.guard}`,
    `${rejudged?.status} ${rejudged?.goal} ${rejudged?.guard}`,
    why,
  ];
  return { flips: differing.map(shortened).toSorted(), judged, agree, changed };
}

const SUCCESS = `success:
  kind: and
  children:
    - { kind: app_state, pointer: /accounts/grace/street, equals: Elbchaussee 8 }
`;
const EXCEPT = '[/accounts/grace/street, /accounts/grace/postcode, /sign_ins, /signed_in]';
/** The answer of the parrot, which repeats the goal. */
const REPEATED =
  'You are signed in as "grace", whose password is "[secret:ACCOUNT_PASSWORD]". She has moved within Hamburg, to Elbchaussee 8, postcode 22765: change her address.';

test('a contract that accepts the goal as an answer flips the parrot of a real bundle alone', async () => {
  const answer = JSON.stringify({ kind: 'answer', one_of: [REPEATED] });
  const suite = await accountWith(SUCCESS, `${SUCCESS.replace('and', 'or')}    - ${answer}\n`);
  const why =
    'status was recorded as failed, but is passed; goal_verdict was recorded as fail, but is pass; failed_contract was recorded as app_state at success.children.0, but is null';
  expect(await flipsBy(suite)).toEqual({
    flips: ['aria', 'playwright-mcp'].map((surface) => [
      `change-address by parrot through ${surface}`,
      'failed fail pass',
      'passed pass pass',
      why,
    ]),
    judged: 12,
    agree: 10,
    changed: ['account/change-address'],
  });
});

test('a stricter guard flips the reference of a real bundle alone', async () => {
  const suite = await accountWith(EXCEPT, '[/accounts/grace/street, /sign_ins, /signed_in]');
  const why =
    'status was recorded as passed, but is failed; guard_verdict was recorded as pass, but is fail; failed_contract was recorded as null, but is unchanged at guards';
  expect(await flipsBy(suite)).toEqual({
    flips: ['aria', 'playwright-mcp'].map((surface) => [
      `change-address by reference through ${surface}`,
      'passed pass pass',
      'failed pass fail',
      why,
    ]),
    judged: 12,
    agree: 10,
    changed: ['account/change-address'],
  });
});

const [BLANK, DONE] = [
  drawing(64, 64, [0, 0, 0.3, 1], [0.6, 0.1, 0.9, 0.2]),
  drawing(64, 64, [0, 0, 1, 0.2], [0.2, 0.4, 0.5, 0.9]),
];

/** A bundle of one episode through `pixels` that is judged by its picture, and its suite with this exemplar. */
async function judgedByPicture(exemplar: Buffer): Promise<{ bundle: string; suite: string }> {
  const success = { kind: 'screenshot_class', class_id: 'sent', distance_max: 4 } as const;
  const shown = (picture: Buffer) =>
    evidence({ screenshot: present({ media_type: 'image/png', base64: picture.toString('base64') }) });
  const classes = { sent: [perceptualHash(DONE)] };
  const attempt = { ...PASSED, task: Task.parse({ ...PASSED.task, success }), start: shown(BLANK), end: shown(DONE) };
  const { layout } = await stagedBundle(
    { ...attempt, row: { ...PASSED.row, surface: 'pixels' } },
    {
      campaign: (honest) => ({
        ...honest,
        pins: { ...honest.pins, surfaces: { pixels: ARIA } },
        plan: {
          ...honest.plan,
          entrants: [{ agent: SAMPLE.agent, surface: 'pixels' }],
          tasks: honest.plan.tasks.map((planned) => ({ ...planned, screenshot_classes: classes })),
        },
      }),
    },
  );
  const suite = await suiteWith(JSON.stringify(success));
  const file = join(suite, 'suite.yaml');
  await writeFile(file, `${await readFile(file, 'utf8')}screenshot_classes: pictures\n`);
  await mkdir(join(suite, 'pictures/sent'), { recursive: true });
  await writeFile(join(suite, 'pictures/sent/a.png'), exemplar);
  return { bundle: layout.root, suite };
}

test('an episode judged by its picture agrees, by the plan and by the exemplars of its suite', async () => {
  const { bundle, suite } = await judgedByPicture(DONE);
  for (const suites of [[], [suite]]) {
    const { exit, out } = await touchstone('rejudge', bundle, ...suites, '--json');
    expect(JSON.parse(out)).toMatchObject({ judged: 1, agree: 1, contracts_changed: [], differing: [] });
    expect(exit).toBe(0);
  }
});

test('another exemplar is another contract, and fails a picture that is not like it', async () => {
  const { bundle, suite } = await judgedByPicture(BLANK);
  const { exit, out } = await touchstone('rejudge', bundle, suite, '--json');
  expect(exit).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    contracts_changed: [`${SAMPLE.suite}/send`],
    // As everywhere: that the blank page is the one that is looked for shows at the start.
    differing: [{ surface: 'pixels', rejudged: null, why: expect.stringContaining('invalid at the start') }],
  });
});

test.each(smallBundles())(
  'every episode of the committed bundle of %s agrees by the current contracts of its suite',
  async (bundle) => {
    const suite = bundle === 'tool-servers' ? 'basics' : bundle;
    const { exit, out } = await touchstone('rejudge', packedBundle(bundle), suite, '--json');
    expect(JSON.parse(out)).toMatchObject({ contracts_changed: [], tasks_gone: [], differing: [] });
    expect(exit).toBe(0);
  },
);
