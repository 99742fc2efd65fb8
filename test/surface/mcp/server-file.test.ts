import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../src/plan/package-root.ts';
import { mcpSurface } from '../../../src/surface/mcp/mcp-surface.ts';
import { readServerFile } from '../../../src/surface/mcp/server-file.ts';
import { formatProblem } from '../../../src/task/source/source.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

async function read(text: string) {
  const file = path.join(await temporaryFolder(), 'server.yaml');
  await writeFile(file, text);
  return await readServerFile(file);
}

async function problemsOf(text: string): Promise<string[]> {
  const result = await read(text);
  return result.ok ? [] : result.problems.map((problem) => path.basename(formatProblem(problem)));
}

async function missing(text: string): Promise<string | null> {
  const result = await read(text);
  if (!result.ok) throw new Error('the file is not sound');
  return mcpSurface(result.value).unavailable;
}

test('a server is a few lines', async () => {
  expect(await problemsOf("id: mine\ncommand: node\nargs: [server.js, '{{cdpUrl}}']\n")).toEqual([]);
});

test.each([
  ['no way to start it', 'id: mine\n', 'needs exactly one of package, command, command_from; it has 0'],
  ['two ways to start it', 'id: mine\ncommand: a\ncommand_from: B\n', 'it has 2'],
  ['a package without a script', 'id: mine\npackage: x\n', 'script: goes with package'],
  ['a script that leads out of its package', 'id: mine\npackage: x\nscript: ../y.js\n', 'inside the package'],
  ['an unknown field', 'id: mine\ncommand: a\nargz: []\n', 'argz'],
  [
    'an unknown placeholder',
    "id: mine\ncommand: a\nargs: ['{{cpdUrl}}']\n",
    'asks for {{cpdUrl}}; there are {{cdpUrl}}',
  ],
  [
    'an unknown placeholder of the ready check',
    "id: mine\ncommand: a\nready: { tool: open, args: { at: { url: '{{cdpURL}}' } } }\n",
    'ready[0].args: asks for {{cdpURL}}; there are {{cdpUrl}}',
  ],
  ['a ready check that takes too long', 'id: mine\ncommand: a\nstart_timeout_ms: 60001\n', 'start_timeout_ms'],
  ['an invalid id', 'id: my server\ncommand: a\n', 'is not an id'],
  [
    'a step with an unknown placeholder',
    "id: mine\ncommand: a\nbinding: { look: { tool: x }, elements: aria, go: { tool: y, args: { q: '{{ref}}' } } }\n",
    'binding.go.args: asks for {{ref}}; this step knows {{url}}, {{tab}}, {{tab_id}}',
  ],
  [
    'a step with an unknown placeholder in the name of a field',
    "id: mine\ncommand: a\nbinding: { look: { tool: x }, elements: aria, go: { tool: y, args: { q: { '{{name}}': 1 } } } }\n",
    'binding.go.args: asks for {{name}}; this step knows {{url}}, {{tab}}, {{tab_id}}',
  ],
  [
    'a field that is named by a reference',
    "id: mine\ncommand: a\nbinding: { look: { tool: x }, elements: aria, click: { tool: y, args: { '{{ref}}': 1 } } }\n",
    'binding.click.args: has {{ref}} in the name of a field; only a value may hold it',
  ],
  [
    'no way at all to name elements',
    'id: mine\ncommand: a\nbinding: { look: { tool: x }, elements: [] }\n',
    'is empty',
  ],
  [
    'the second of several patterns',
    "id: mine\ncommand: a\nbinding: { look: { tool: x }, elements: [aria, '(?<ref>.)'] }\n",
    'binding.elements[1]: has no group (?<role>…)',
  ],
  [
    'a pattern without a group for the role',
    "id: mine\ncommand: a\nbinding: { look: { tool: x }, elements: '(?<ref>.)(?<name>.)' }\n",
    'has no group (?<role>…)',
  ],
])('%s is reported with its place', async (_what, text, problem) => {
  const problems = await problemsOf(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(problem);
  expect(problems[0]).toMatch(/^server\.yaml:\d/);
});

test.each([
  [
    'a package',
    'package: "@nobody/has-this"\nscript: x.js\n',
    `nor for Touchstone in ${packageRoot()}; run "npm install @nobody/has-this" in either folder`,
  ],
  ['a program', 'command: nobody-has-this\n', '"nobody-has-this", which does not exist'],
  ['a script', 'command: ./nothing.mjs\n', '"./nothing.mjs", which does not exist'],
  ['a variable', 'command_from: NOBODY_SET_THIS\n', 'the variable NOBODY_SET_THIS is not set'],
])('%s that is missing makes the server unavailable, with the remedy', async (_what, text, why) => {
  expect(await missing(`id: mine\n${text}`)).toContain(why);
});

test('a program on the PATH is there', async () => {
  expect(await missing('id: mine\ncommand: node\n')).toBeNull();
});

test('a package that is missing names the folder of the file, too', async () => {
  expect(await missing('id: mine\npackage: "@nobody/has-this"\nscript: x.js\n')).toContain(
    `@nobody/has-this is not installed for ${tmpdir()}`,
  );
});

/** The version of Playwright's server that a file in a new folder starts. */
async function versionNextTo(place: string): Promise<string | null> {
  const folder = await temporaryFolder();
  const installed = path.join(folder, place, 'node_modules', '@playwright', 'mcp');
  await mkdir(installed, { recursive: true });
  await writeFile(path.join(installed, 'package.json'), '{"version":"0.0.1"}');
  await mkdir(path.join(folder, 'servers'), { recursive: true });
  const file = path.join(folder, 'servers', 'server.yaml');
  await writeFile(file, 'id: mine\npackage: "@playwright/mcp"\nscript: cli.js\n');
  const result = await readServerFile(file);
  return result.ok ? mcpSurface(result.value).version : null;
}

test.each(['.', 'servers'])(
  'a package in %s, in or above the folder of the file, is preferred to ours',
  async (place) => {
    expect(await versionNextTo(place)).toBe('@playwright/mcp 0.0.1');
  },
);

test('a package in another folder is not: ours is run', async () => {
  expect(await versionNextTo('elsewhere')).toMatch(/^@playwright\/mcp (?!0\.0\.1$)\d/);
});

test.each([
  ['npx', '["-y", "my-server"]', '"npx" downloads what it runs, but a tool server has no network; install the server'],
  ['/usr/bin/pnpm', '[dlx, my-server]', '"pnpm dlx" downloads'],
  ['uvx', '[my-server]', 'or set "network: shared"'],
  ['docker', '[run, my-server]', '"docker" starts containers'],
])('%s with %s is refused before it starts, with a remedy', async (command, args, why) => {
  expect(await missing(`id: mine\ncommand: ${command}\nargs: ${args}\n`)).toContain(why);
});

test('a program that is installed, or has a network to fetch from, is not refused', async () => {
  expect(await missing('id: mine\ncommand: node\nargs: [npx, exec]\n')).toBeNull();
  expect(await missing('id: mine\ncommand: npx\nargs: [my-server]\nnetwork: shared\n')).toBeNull();
});
