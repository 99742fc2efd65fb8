import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { reportOf } from './bundle-files.ts';
import { touchstone } from './touchstone.ts';

const MOCK = ['run', 'basics', '--agent', 'transcript'];

test('reference passes, null and parrot do not, and every verdict holds when judged again', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const some = ['--task', 'example-h1,dialog-delete'];
  const ran = await touchstone('run', 'basics', ...some, '--agent', 'reference,null,parrot', '--out', bundle);
  expect(ran.exit).toBe(0);
  // A slow machine first prints, every ten seconds, that it is starting.
  expect(ran.err.split('\n').find((line) => !line.startsWith('starting'))).toBe('6 episodes planned; costs nothing');
  const { entrants, complete } = await reportOf(bundle);
  const passed = entrants.map((entrant: { agent: string; passed: number }) => [entrant.agent, entrant.passed]);
  expect(complete).toBe(true);
  expect(Object.fromEntries(passed)).toEqual({ reference: 2, null: 0, parrot: 0 });
  const page = /^report {9}(.*)$/m.exec(ran.out)?.[1] ?? '';
  expect(page).toBe(path.join(bundle, 'report.html'));
  expect(await readFile(page, 'utf8')).toMatch(/^<!doctype html>/i);
  expect(await touchstone('rejudge', bundle)).toMatchObject({
    exit: 0,
    out: '6 episodes judged again, 6 agree\n',
  });
});

test('--verbose shows navigation, a look at the page, and the final evaluation', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const { err } = await touchstone(...MOCK, '--task', 'example-h1', '--verbose', '--out', bundle);
  expect(err).toMatch(/call 1: navigate \{"url":"https:\/\/example\.com"\}/);
  expect(err).toMatch(/call 2: snapshot/);
  expect(err).toMatch(/success at the end: pass/);
  const shown = await touchstone('show', bundle, 'example-h1');
  expect(shown.out).toContain('dom_text: after a fresh load, the text of h1 contains "Example Domain"');
});

test('local-recovery-stall with two steps ends max_steps, and the report names task and last tool call', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const args = [...MOCK, '--task', 'local-recovery-stall', '--max-steps', '2', '--out', bundle];
  expect(await touchstone(...args)).toMatchObject({ exit: 1 });
  expect((await reportOf(bundle)).episodes).toMatchObject([{ status: 'max_steps', steps: 2, tool_errors: 1 }]);
  const markdown = await readFile(path.join(bundle, 'report.md'), 'utf8');
  expect(markdown).toContain('**local-recovery-stall** by transcript through aria: max_steps (`max_turns`).');
  expect(markdown).toContain('Last tool call: `snapshot {}`.');
});

test('with another heading expected, failed names the dom_text assertion and what was observed', async () => {
  const folder = await temporaryFolder();
  const suite = await writeSuite(folder, 'NotPresent');
  const bundle = path.join(folder, 'bundle');
  expect(await touchstone('run', suite, '--out', bundle)).toMatchObject({ exit: 1 });
  expect((await reportOf(bundle)).episodes).toMatchObject([
    {
      status: 'failed',
      failed_contract: { path: 'success', kind: 'dom_text', observed: { preview: 'Example Domain' } },
    },
  ]);
});

test('with the right heading expected, the same suite passes', async () => {
  const folder = await temporaryFolder();
  const suite = await writeSuite(folder, 'Example Domain');
  expect(await touchstone('run', suite, '--out', path.join(folder, 'bundle'))).toMatchObject({ exit: 0 });
});

test('when a task is at fault, the terminal, the row and the report give the reason', async () => {
  const folder = await temporaryFolder();
  const suite = await writeSuite(folder, 'Example Domain');
  const task = path.join(suite, 'task.yaml');
  const sound = await readFile(task, 'utf8');

  await writeFile(task, sound.replace('{ do: go, url: https://example.com }', '{ do: click, role: button, name: X }'));
  const clicked = await touchstone('run', suite, '--out', path.join(folder, 'click'));
  const noButton = 'cannot click "button" "X": the surface does not show it';
  expect(clicked).toMatchObject({ exit: 1, err: expect.stringContaining(`C${noButton.slice(1)}`) });
  expect(await readFile(path.join(folder, 'click/report.md'), 'utf8')).toContain(
    `agent_error. \`C${noButton.slice(1)}. The solution of the task could not be followed.\``,
  );
  expect((await reportOf(path.join(folder, 'click'))).episodes).toMatchObject([{ detail: noButton }]);

  await writeFile(task, sound.replace(/success: .*/, 'success: { kind: no_dialog }'));
  const begun = await touchstone('run', suite, '--out', path.join(folder, 'begun'));
  const trueAtTheStart = 'success is already true at the start';
  expect(begun).toMatchObject({ exit: 1, err: expect.stringContaining(`S${trueAtTheStart.slice(1)}`) });
  expect(await readFile(path.join(folder, 'begun/report.md'), 'utf8')).toContain(`S${trueAtTheStart.slice(1)}`);
});

test('an impossible cell is a row with its reason, never silently missing', async () => {
  const folder = await temporaryFolder();
  const suite = await writeSuite(folder, 'Example Domain');
  const bundle = path.join(folder, 'bundle');
  await touchstone('run', suite, '--agent', 'transcript,null', '--out', bundle);
  const lines = (await readFile(path.join(bundle, 'rows.jsonl'), 'utf8')).trim().split('\n');
  const rows = lines.map((line) => JSON.parse(line));
  expect(rows.find(({ agent }) => agent === 'transcript')).toMatchObject({
    status: 'not_applicable',
    mode: 'skip',
    steps: null,
    null_reasons: { steps: 'not applicable: there is no transcript transcripts/heading.aria.jsonl in the suite' },
  });
});

test('a bundle whose stored evidence was edited does not agree when judged again', async () => {
  const folder = await temporaryFolder();
  const bundle = path.join(folder, 'bundle');
  await touchstone('run', await writeSuite(folder, 'Example Domain'), '--out', bundle);
  for (const name of await readdir(path.join(bundle, 'blobs'))) {
    await writeFile(path.join(bundle, 'blobs', name), 'edited');
  }
  const ran = await touchstone('rejudge', bundle);
  expect(ran).toMatchObject({ exit: 1 });
  expect(ran.out).toContain('0 episodes judged again, 0 agree, 1 could not be judged');
});

async function writeSuite(folder: string, heading: string): Promise<string> {
  const suite = path.join(folder, 'suite');
  await mkdir(path.join(suite, 'site'), { recursive: true });
  await writeFile(path.join(suite, 'site/index.html'), '<!doctype html><h1>Example Domain</h1>');
  await writeFile(
    path.join(suite, 'suite.yaml'),
    `id: small
title: Small
tasks: [task.yaml]
world: { kind: local, sites: [{ origin: https://example.com, static: site, stand_in: true }] }
`,
  );
  await writeFile(
    path.join(suite, 'task.yaml'),
    `id: heading
title: Heading
startUrl: about:blank
goal: Open https://example.com.
success: { kind: dom_text, selector: h1, contains: ${heading} }
solutions: [{ steps: [{ do: go, url: https://example.com }] }]
`,
  );
  return suite;
}
