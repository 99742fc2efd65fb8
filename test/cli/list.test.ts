import { expect, test } from 'vitest';
import { sampleYaml } from '../task/sample-task.ts';
import { tempFiles } from '../task/temp-files.ts';
import { main } from '../../src/cli/program.ts';
import { terminalOf } from './terminal-of.ts';
import { touchstone } from './touchstone.ts';

/** As YAML has it between double quotes: clears the screen, turns the text around, begins a line of its own. */
const HOSTILE = String.raw`"\e[2J\x9b31m\u202e\rdone"`;

const SUITE = `id: stranger
title: ${HOSTILE}
world: { kind: local, sites: [{ origin: "http://basics.localhost", static: site }] }
tasks: [a.yaml]
`;

test('text by the author of a suite is shown, and obeyed by no terminal, even as JSON', async () => {
  const files = { 'suite.yaml': SUITE, 'a.yaml': sampleYaml({ title: HOSTILE }), 'site/index.html': '<h1>A</h1>' };
  await using suite = await tempFiles(files);
  for (const options of [[], ['--json']]) {
    const { exit, out, err } = await touchstone('list', suite.folder, ...options);
    expect([exit, err]).toEqual([0, '']);
    expect(out).toContain('[2J');
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  }
});

test('an invalid suite of the user is not listed, and its problems are printed', async () => {
  await using suite = await tempFiles({
    'suite.yaml': SUITE,
    'a.yaml': sampleYaml({ goal: '1' }),
    'site/index.html': '',
  });
  const { exit, out, err } = await touchstone('list', suite.folder);
  expect({ exit, out }).toEqual({ exit: 2, out: '' });
  expect(err).toContain('a.yaml');
});

async function onTerminal(...args: string[]): Promise<string[]> {
  const { terminal, out } = terminalOf(80);
  expect(await main(args, terminal)).toBe(0);
  return out();
}

test('list fits one screen, with the number of tasks of each suite', async () => {
  const lines = await onTerminal('list');
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines).toContainEqual(expect.stringMatching(/^basics +8 {2}Basics$/));
  expect(lines).toContainEqual(expect.stringMatching(/^aria +the accessibility tree/));
  expect(lines.join('\n')).not.toContain('dialog-delete');
});

test('list of a suite has its tasks, and no agents', async () => {
  const text = (await onTerminal('list', 'basics')).join('\n');
  expect(text).toMatch(/^basics {2}dialog-delete /m);
  expect(text).not.toContain('parrot');
});
