import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { packageRoot } from '../../src/plan/package-root.ts';
import { Situations } from '../../src/report/situations.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { PROGRAM } from './touchstone-process.ts';
import { touchstone } from './touchstone.ts';

const FIXTURES = 'test/surface/mcp/fixtures';
const Trial = z.object({
  ok: z.boolean(),
  tools: z.array(z.object({ name: z.string() })),
  matched: z.array(z.object({ line: z.string(), role: z.string(), name: z.string() })),
  missed: z.array(z.object({ role: z.string(), name: z.string() })),
  steps: z.array(z.object({ step: z.string(), outcome: z.string(), reported: z.array(z.string()) })),
});

async function tried(file: string) {
  const { exit, out } = await touchstone('surface', 'try', file, '--json');
  const { steps, ...trial } = Trial.parse(JSON.parse(out));
  return { exit, ...trial, outcomes: Object.fromEntries(steps.map(({ step, outcome }) => [step, outcome])), steps };
}

test('a server that does every step of its binding is sound', async () => {
  const { exit, ok, missed, outcomes } = await tried('surfaces/playwright-mcp.yaml');
  expect({ exit, ok, missed }).toEqual({ exit: 0, ok: true, missed: [] });
  expect([...new Set(Object.values(outcomes))]).toEqual(['done']);
});

test('a server that acts differently, shows less or lacks a call fails, with the step', async () => {
  const { exit, ok, missed, matched, outcomes, steps } = await tried(`${FIXTURES}/by-tab-id.yaml`);
  expect({ exit, ok, missed }).toEqual({ exit: 1, ok: false, missed: [{ role: 'combobox', name: 'Colour' }] });
  expect(matched).toContainEqual(expect.objectContaining({ line: '[0]<button>Send', role: 'button', name: 'Send' }));
  expect(outcomes).toEqual({ ...UNBOUND, click: 'done', fill: 'other', switch_tab: 'done' });
  expect(steps.find(({ step }) => step === 'fill')?.reported).toEqual(['{"filled":"86"}']);
});

const UNBOUND = {
  go: 'unbound',
  wait_for: 'unbound',
  press: 'unbound',
  choose: 'unbound',
  accept: 'unbound',
  dismiss: 'unbound',
  click_at: 'unbound',
  double_click: 'unbound',
  right_click: 'unbound',
  hover: 'unbound',
  drag: 'unbound',
  upload: 'unbound',
};

const CALL_FIRST = 'if the server needs another call first, write it into "ready"';

test('the output names what to change', async () => {
  const { exit, out } = await touchstone('surface', 'try', `${FIXTURES}/by-tab-id.yaml`);
  expect(exit).toBe(1);
  expect(out).toContain('by-tab-id 1.0.0: 4 tools');
  expect(out).toContain('not found: combobox "Colour"; change "elements"');
  expect(out).toContain(
    'fill: the page should have reported {"filled":"8"}, but reported {"filled":"86"}; change binding.fill',
  );
  expect(out).toContain('go: not bound');
  expect(out).not.toContain(CALL_FIRST);
  expect(out).toContain('4 of 5 elements found, 2 of 15 steps done');
});

/** A copy of the file of the server by-tab-id, in another folder. */
async function changedFile(change: (text: string) => string): Promise<string> {
  const file = path.join(await temporaryFolder(), 'mine.yaml');
  const text = await readFile(`${FIXTURES}/by-tab-id.yaml`, 'utf8');
  await writeFile(file, change(text.replace('./by-tab-id.mjs', path.join(packageRoot(), FIXTURES, 'by-tab-id.mjs'))));
  return file;
}

test('if "look" fails, a call in "ready" is suggested', async () => {
  const { out } = await touchstone(
    'surface',
    'try',
    await changedFile((text) => text.replace(/^ready:\n(?: .*\n)+/m, '')),
  );
  expect(out).toContain(CALL_FIRST);
});

test('a step whose element no line has names "elements", not its call', async () => {
  const file = await changedFile((text) => text.replace('(?<role>button)', '(?<role>field)'));
  const { out } = await touchstone('surface', 'try', file);
  expect(out).toContain('click: failed: no line of what it shows is the element of this step; change "elements"');
  expect(out).not.toContain('binding.click');
});

test('the heads of its tables have a style if there are colours, and no readable escape', async () => {
  const words = [...PROGRAM, 'surface', 'try', 'surfaces/playwright-mcp.yaml'];
  const env = { ...process.env, FORCE_COLOR: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: packageRoot(), env });
  expect(stdout).toContain('\u001b[1mref');
  expect(stdout).not.toContain('\u241b');
});

test('without a binding the tools are listed, and what to write next', async () => {
  const { exit, out } = await touchstone('surface', 'try', `${FIXTURES}/unbound.yaml`);
  expect(exit).toBe(1);
  expect(out).toMatch(/^small 1\.0\.0: 6 tools\n {2}send \{times\}\n/);
  expect(out).toContain('it has no binding; write "binding" into');
});

test.each([
  ['a field that is none', 'id: mine\ncommand: node\nbindings: {}\n', 'mine.yaml:3:1 bindings: '],
  ['a program that is not there', 'id: mine\ncommand: ./nothing.mjs\n', 'which does not exist'],
  ['a server that ends at once', 'id: mine\ncommand: ./ends.mjs\n', 'no licence was found'],
])('%s is bad input, and named with its file and a remedy', async (_what, text, message) => {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'mine.yaml'), text);
  await writeFile(path.join(folder, 'ends.mjs'), "console.error('no licence was found'); process.exit(3);");
  const { exit, err } = await touchstone('surface', 'try', path.join(folder, 'mine.yaml'));
  expect(exit).toBe(2);
  expect(err).toContain(path.join(folder, 'mine.yaml'));
  expect(err).toContain(message);
  expect(err).toContain('remedy:');
});

test('an unknown action is refused', async () => {
  expect(await touchstone('surface', 'look', 'x.yaml')).toMatchObject({
    exit: 2,
    err: expect.stringContaining('look'),
  });
});

test('a bench lists what a server can do next to others, writes it, and fails below the number that is asked for', async () => {
  const folder = await temporaryFolder();
  const bench = async (atLeast: string) => {
    const places = ['--to', folder, '--out', path.join(folder, atLeast)];
    const only = ['--task', 'shadow-open,shadow-closed', '--at-least', atLeast];
    return await touchstone('surface', 'bench', 'surfaces/playwright-mcp.yaml', ...only, ...places);
  };
  const { exit, out } = await bench('1');
  expect(exit).toBe(0);
  expect(out).toContain('1 of 2 passed.');
  expect(out).toContain('A closed shadow root (shadow-closed)');
  expect(out).toContain('–: not measured.');
  expect(out).toMatch(/chrome-devtools-mcp +\|? *2\/2/);
  const { surfaces } = Situations.parse(JSON.parse(await readFile(path.join(folder, 'playwright-mcp.json'), 'utf8')));
  expect(surfaces[0]?.cells).toMatchObject({ 'shadow-open': { end: 'passed' }, 'shadow-closed': { end: 'stuck' } });
  expect(await readFile(path.join(folder, 'playwright-mcp.svg'), 'utf8')).toContain('>1 of 2</text>');
  // Others cost as much in all situations, not in these two.
  const row = /^\| chrome-devtools-mcp \|.*$/m.exec(await readFile(path.join(folder, 'playwright-mcp.md'), 'utf8'));
  expect(
    row?.[0]
      .split('|')
      .slice(-4, -1)
      .map((cell) => cell.trim()),
  ).toEqual(['–', '–', '–']);
  expect((await bench('2')).exit).toBe(1);
});
