import { readFile, writeFile } from 'node:fs/promises';
import path, { join } from 'node:path';
import { expect, test } from 'vitest';
import { Task } from '../../src/task/schema.ts';
import { PASSED, SENT, START, TASK as GUARDED } from '../verify/sample-attempt.ts';
import { stagedBundle } from '../verify/staged-bundle.ts';
import { committedBundle } from '../committed-bundle.ts';
import { present } from '../../src/contract/evidence.ts';
import { NO_TOOLS } from '../../src/surface/traits.ts';
import { ARIA } from '../plan/sample-plan.ts';
import { evidence } from '../contract/evidence-sample.ts';
import { HOSTILE, HOSTILE_EVENTS } from './hostile-events.ts';
import { startTouchstone } from './touchstone-process.ts';
import { touchstone } from './touchstone.ts';

const TASK = Task.parse({
  id: 'send',
  title: 'Send a message',
  startUrl: 'http://shop.localhost/',
  goal: 'Send it',
  success: { kind: 'no_dialog' },
});

async function bundleWith(events: readonly unknown[]): Promise<string> {
  const tamper = async ({ attempt }: { attempt: string }) => {
    const lines = events.map((event, seq) => `${JSON.stringify({ schema_version: 2, seq, at_ms: 0, event })}\n`);
    await writeFile(join(attempt, 'events.jsonl'), lines.join(''));
  };
  const { layout } = await stagedBundle({ task: TASK, start: evidence(), row: { run_id: HOSTILE } }, { tamper });
  return layout.root;
}

test('text of pages, agents and strangers is shown, and obeyed by no terminal', async () => {
  const { exit, out } = await touchstone('show', await bundleWith(HOSTILE_EVENTS), 'send');
  expect(exit).toBe(0);
  expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(out).not.toMatch(/^all passed/m);
  expect(out).toContain('the world is ready; opening ␛[2J');
});

test('ordinary text is shown as it is', async () => {
  const events = [{ type: 'reset', task: 'send', start_url: 'http://shop.localhost/größe', surface: 'a', agent: 'b' }];
  const { out } = await touchstone('show', await bundleWith(events), 'send');
  expect(out).toContain('the world is ready; opening http://shop.localhost/größe');
});

test('refused commands are shown before those that were sent, if there are any', async () => {
  const methods = { 'Page.enable': 3, 'Debugger.pause': 2 };
  const gateway = { type: 'gateway', commands: 5, inputs: 0, methods, script_steps: [] };
  const bundle = await bundleWith([{ ...gateway, refused: { 'Debugger.pause': 2 } }]);
  const shown = await touchstone('show', bundle, 'send', '--verbose');
  expect(shown.out).toMatch(/refused: 2 × Debugger\.pause\n.*│ 3 × Page\.enable\n/);
  const brief = await touchstone('show', bundle, 'send');
  expect(brief.out).toContain('refused: 2 × Debugger.pause');
  expect(brief.out).not.toContain('Page.enable');
  const older = await touchstone('show', await bundleWith([{ ...gateway, refused: {} }]), 'send', '--verbose');
  expect(older.out).toContain('3 × Page.enable');
  expect(older.out).not.toContain('refused: ');
});

test('an episode begins with its task, entrant and status, its goal and why it did not pass', async () => {
  const { layout } = await stagedBundle({ task: TASK, start: evidence(), row: { run_id: 'run-1' } });
  const { out } = await touchstone('show', layout.root, 'send');
  const [title, goal, ...others] = out.split('\n');
  expect(title).toMatch(/^send by \S+\/\S+: /);
  expect(goal).toBe('goal    Send it');
  expect(others.slice(0, others.indexOf(''))).toContain('run     run-1');
});

test.each([
  [{ guard_verdict: 'fail' }, /ada changed from 1 to 3\b.* and \/users\/bob is gone\.$/],
  [{ goal_verdict: 'fail' }, /^(?!.*\/users)/],
] as const)('the reason names what else changed if a guard broke, and only then: %o', async (broken, expected) => {
  const users = { start: { messages: 0, users: { ada: 1, bob: 2 } }, now: { messages: 1, users: { ada: 3 } } };
  const app_state = present(users);
  const row = { ...PASSED, status: 'failed', ...broken } as const;
  const { layout } = await stagedBundle({ task: GUARDED, start: START, end: { ...SENT, app_state }, row });
  const { out } = await touchstone('show', layout.root, 'send');
  expect(/^why .*$/m.exec(out)?.[0]).toMatch(expected);
});

type Sent = readonly [method: string, status: number | null];

/** What `show` prints of an episode in which these requests were sent, the first before it began. */
async function shownOf(tools_of: typeof NO_TOOLS | 'page_user', ...sent: readonly Sent[]): Promise<string> {
  const entries = sent.map(([method, status], seq) => {
    const url = `http://shop.localhost/issues/${seq}`;
    return { seq, method, url, status, request_body: null, request_body_truncated: false };
  });
  const network = present({ entries, since: { contract_enter: 1, last_tool_call: 1 } });
  const attempt = { task: GUARDED, start: START, end: { ...SENT, network }, row: PASSED };
  const { layout } = await stagedBundle(attempt, {
    campaign: ({ pins, ...rest }) => ({ ...rest, pins: { ...pins, surfaces: { aria: { ...ARIA, tools_of } } } }),
  });
  return (await touchstone('show', layout.root, 'send')).out;
}

test('an episode whose agent drove the browser itself has the requests that may have changed the app', async () => {
  const sent = [
    ['POST', 200],
    ['GET', 200],
    ['POST', 303],
    ['DELETE', null],
  ] as const;
  const line = 'sent    POST http://shop.localhost/issues/2 (303); DELETE http://shop.localhost/issues/3 (no answer)';
  expect((await shownOf(NO_TOOLS, ...sent)).split('\n')).toContain(line);
  expect(await shownOf(ARIA.tools_of, ...sent)).not.toMatch(/^sent /m);
  expect(await shownOf(NO_TOOLS, ['POST', 200], ['GET', 200])).not.toMatch(/^sent /m);
});

test('of many requests of such an agent, the first are shown', async () => {
  const sent = Array.from({ length: 13 }, (): Sent => ['PUT', 204]);
  expect(await shownOf(NO_TOOLS, ...sent)).toMatch(/^sent .*issues\/10 \(204\); and 2 more$/m);
});

test('hashes are short, and a page without our runtime is not mentioned, except with --verbose', async () => {
  const hash = '0123456789ab'.padEnd(64, 'f');
  const nothing = { runtime_version: null, runtime_hash: null, manifest_checksum: null, off_archive: null };
  const bundle = await bundleWith([
    { type: 'captured', moment: 'end', evidence: hash, screenshot: null },
    { ...HOSTILE_EVENTS[2], args: { hash } },
    { type: 'surroundings', ...nothing, violations: {} },
  ]);
  const { out } = await touchstone('show', bundle, 'send');
  expect(out).toContain('evidence of the end: 0123456789ab…\n');
  expect(out).toContain(`{"hash":"${hash}"}`);
  expect(out).not.toContain('in the page:');
  const verbose = await touchstone('show', bundle, 'send', '--verbose');
  expect(verbose.out).toContain(`evidence of the end: ${hash}\n`);
  expect(verbose.out).toContain('in the page: no NAC3 runtime');
});

test('a call is followed by the element that its reference had in the last reply', async () => {
  const call = { type: 'call', step: 1, tool: 'click', args: { ref: 'e7' }, args_blob: null };
  const result = { ...HOSTILE_EVENTS[3], text: '- button "Send\u202e" [ref=e7]' };
  const { out } = await touchstone('show', await bundleWith([call, result, { ...call, step: 2 }]), 'send');
  expect(out.match(/ is button .*/g)).toEqual([
    expect.stringMatching(/^ is button "Send[^\u202e]*", as the reply of step 1 listed it$/u),
  ]);
  expect(out).toMatch(/call 2: click .*\n +e7 is button/);
});

test('--json shows the same, and no terminal obeys it either', async () => {
  const { out } = await touchstone('show', await bundleWith(HOSTILE_EVENTS), 'send', '--json');
  expect(out.trimEnd()).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(JSON.parse(out).events[0].event).toEqual(HOSTILE_EVENTS[0]);
});

test('an invalid event is an error of the bundle, with its line', async () => {
  const { exit, err } = await touchstone('show', await bundleWith([HOSTILE_EVENTS[0], { type: HOSTILE }]), 'send');
  expect(exit).toBe(2);
  expect(err).toContain('events.jsonl:2 is not an event');
  expect(err).toContain('remedy:');
});

test('--claims prints the allowed claims, and as JSON the decisions', async () => {
  const bundle = await committedBundle('stress');
  const { exit, out } = await touchstone('show', bundle, '--claims');
  expect(exit).toBe(0);
  expect(out).toContain('No claim of who does better');
  expect(out).toContain('To lift it: ');
  const json = JSON.parse((await touchstone('show', bundle, '--claims', '--json')).out);
  const { headlines, claims } = JSON.parse(await readFile(join(bundle, 'report.json'), 'utf8'));
  expect(json).toMatchObject({ headlines, claims });
});

test('--claims draws nothing from records that do not verify', async () => {
  const { exit, err } = await touchstone('show', await bundleWith(HOSTILE_EVENTS), '--claims');
  expect(exit).toBe(2);
  expect(err).toContain('does not verify');
});

test.each([
  ['an episode', 'send', '--claims is about the whole bundle, not about send alone'],
  ['--serve', '--serve', '--claims and --serve exclude each other'],
])('--claims with %s is refused', async (_, other, why) => {
  const { exit, err } = await touchstone('show', await bundleWith([]), other, '--claims');
  expect(exit).toBe(2);
  expect(err).toContain(why);
});

test('an error shows a hostile name harmlessly', async () => {
  const { err } = await touchstone('show', await bundleWith([]), `${HOSTILE}?`);
  expect(err).toContain('no episode "␛[2J');
  expect(err).toContain('name one of its tasks: send');
  expect(err).not.toContain('\u202e');
});

test('a second bundle without --serve is refused, with the commands that compare the two', async () => {
  const [before, after] = [await bundleWith([]), await bundleWith([])];
  const { exit, err } = await touchstone('show', before, after);
  expect([exit, err]).toEqual([2, expect.stringContaining(`compare ${before} ${after}`)]);
  expect(err).toMatch(/remedy: .*--serve/s);
});

test.each([[[]], [['--serve']]])('a second path that is no bundle is named, also with %j', async (more) => {
  const bundle = await bundleWith(HOSTILE_EVENTS);
  for (const typo of ['bundles/typo', 'typo.zip']) {
    const { exit, err } = await touchstone('show', bundle, typo, ...more);
    expect([exit, err]).toEqual([2, expect.stringContaining(`error: ${typo} does not exist, and ${bundle} has`)]);
    expect(err).toContain(`type "touchstone show ${bundle}"\n`);
  }
  const folder = path.dirname(bundle);
  expect((await touchstone('show', bundle, folder, ...more)).err).toContain(`${folder} is not a bundle, and`);
  const episode = await touchstone('show', bundle, 'send/dom', ...more);
  expect(episode.err).toMatch(/the bundle has no episode "send\/dom"[^]*remedy: name one of its tasks/);
});

test.each([['nosuch'], ['']])('a missing episode is an error, also with --serve: "%s"', async (episode) => {
  const bundle = await bundleWith(HOSTILE_EVENTS);
  for (const more of [[], ['--serve']]) {
    const { exit, err } = await touchstone('show', bundle, episode, ...more);
    expect([exit, err]).toEqual([2, expect.stringContaining(`the bundle has no episode "${episode}"`)]);
  }
});

test('--serve goes on until Ctrl-C, and then ends in order', async () => {
  const program = startTouchstone('show', await bundleWith(HOSTILE_EVENTS), '--serve');
  await program.says('Ctrl-C ends it');
  program.kill('SIGINT');
  expect(await program.ended).toBe(0);
});

test('--port must be one that any user may listen at', async () => {
  const { exit, err } = await touchstone('show', await bundleWith([]), '--serve', '--port', '80');
  expect(exit).toBe(2);
  expect(err).toContain('--port <number>');
});
