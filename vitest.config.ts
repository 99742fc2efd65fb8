import { defineConfig } from 'vitest/config';
import { IN_FULL_CHROMIUM, LONG_IN_FULL_CHROMIUM, LONG_IN_SHELL } from './test/browser-tests.ts';
import { headlessShell } from './test/headless-shell.ts';
import { SlowestReporter } from './test/slowest-reporter.ts';

// Limits are for what hangs, not for what is slow: machines that share their cores can take ten times as long.
// Tests that need a browser run in three processes, each of which launches one Chromium and runs one file after the other: they
// wait for pages as long as they work.
const inBrowser = ['test/**/*.browser.test.ts'];
// Folders whose tests leave nothing behind in their process: no mocked module, no timers of their own, no handler of a signal.
// Their files share one process and what it has loaded.
const sharing = [
  'agent/model',
  'apps',
  'bundle',
  'claim',
  'cli',
  'contract',
  'docs',
  'episode',
  'fault',
  'fuzz',
  'messages',
  'model',
  'plan',
  'process',
  'qualify',
  'queue',
  'report',
  'row',
  'run',
  'stats',
  'suites',
  'surface/*',
  'task',
  'verify',
  'viewer',
  'world',
].map((folder) => `test/${folder}/**/*.test.ts`);
// They have a script of their own: `npm run test:full`.
const long = ['test/**/*.long.test.ts'];

// A busy machine is no failure: an awaited value may take its time. Without this, Vitest gives up after a second.
const poll = { timeout: 60_000, interval: 20 };
// Vitest asks for colours where it prints them itself; what the tests read is plain.
const env = { FORCE_COLOR: '0' };
const browserTests = {
  setupFiles: ['test/kept-browsers.ts', 'test/own-environment.ts'],
  isolate: false,
  maxWorkers: 3,
  testTimeout: 300_000,
  hookTimeout: 120_000,
  expect: { poll },
};

export default defineConfig({
  test: {
    globalSetup: ['test/unpacked-bundles.ts'],
    reporters: ['default', new SlowestReporter(20)],
    projects: [
      {
        test: {
          name: 'plain',
          setupFiles: ['test/own-environment.ts'],
          include: ['test/**/*.test.ts'],
          exclude: [...inBrowser, ...long, ...sharing],
          maxWorkers: 3,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll },
          env,
        },
      },
      {
        test: {
          name: 'sharing',
          setupFiles: ['test/own-environment.ts'],
          include: sharing,
          exclude: [...inBrowser, ...long],
          isolate: false,
          maxWorkers: 3,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll },
          env,
        },
      },
      { test: { ...browserTests, name: 'full', include: IN_FULL_CHROMIUM, env } },
      {
        test: {
          ...browserTests,
          name: 'browser',
          include: inBrowser,
          exclude: [...IN_FULL_CHROMIUM, ...LONG_IN_SHELL, ...LONG_IN_FULL_CHROMIUM],
          env: { ...env, ...headlessShell() },
        },
      },
    ],
  },
});
