import { expect, test } from 'vitest';
import { loadedBy } from './loaded-modules.ts';

/** tsx and esbuild run the TypeScript of a clone; the rest lays out text. */
const LIGHT = new Set('ansi-styles commander esbuild get-east-asian-width string-width tsx wrap-ansi zod'.split(' '));

/** They start browsers and the servers that these see, and talk to tool servers. */
const RUNNERS = new Set(['@modelcontextprotocol/client', 'playwright-core', 'selfsigned']);
const BUNDLE = 'docs/bundles/webvoyager.zip';

test.each(['--help', 'run --help', '--version'])('%s loads no work of any command', async (line) => {
  const { files, packages } = await loadedBy(...line.split(' '));
  expect(files).toContain('src/cli/commands/run.ts');
  expect(files.filter((file) => file.startsWith('src/cli/actions/'))).toEqual([]);
  expect(packages.filter((name) => !LIGHT.has(name))).toEqual([]);
  expect(files.filter((file) => !file.startsWith('src/messages/')).length).toBeLessThan(50);
});

test('a command that works is seen to load its code', async () => {
  const { files, packages } = await loadedBy('rejudge', BUNDLE);
  expect(files).toContain('src/cli/actions/rejudge.ts');
  expect(packages.filter((name) => !LIGHT.has(name))).not.toEqual([]);
  // Neither what would act in a browser nor what reads suites, where none is named.
  expect(packages.filter((name) => RUNNERS.has(name) || name === 'yaml' || name === 'jiti')).toEqual([]);
  expect(files.filter((file) => file.startsWith('src/surface/page/') || file.startsWith('src/task/load'))).toEqual([]);
});

test.each([['verify', BUNDLE], ['plan', 'basics', '--agent', 'reference'], ['list']])(
  '%s starts no browser, and loads nothing that would',
  async (...line) => {
    const { packages } = await loadedBy(...line);
    expect(packages).toContain('zod');
    expect(packages.filter((name) => RUNNERS.has(name))).toEqual([]);
  },
);

test('list neither checks the suites of the package nor loads code that asks models', async () => {
  const { files, packages } = await loadedBy('list');
  expect(files).toContain('src/task/outline.ts');
  expect(files.filter((file) => /load-suite|task\/validate|model\/providers/.test(file))).toEqual([]);
  expect(packages.filter((name) => name.startsWith('@ai-sdk'))).toEqual([]);
  // It loaded 343 when it checked them, and loads 240.
  expect(files.length).toBeLessThan(250);
});

test('list checks a suite of the user', async () => {
  const { files } = await loadedBy('list', 'suites/basics/../basics');
  expect(files).toContain('src/task/load-suite.ts');
});

test('a command that starts a browser is seen to load that code', async () => {
  const { packages } = await loadedBy('doctor');
  expect(packages).toEqual(expect.arrayContaining(['playwright-core']));
});
