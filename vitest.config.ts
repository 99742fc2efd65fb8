import { defineConfig } from 'vitest/config';
import { IN_FULL_CHROMIUM, LONG_IN_FULL_CHROMIUM, LONG_IN_SHELL } from './test/browser-tests.ts';
import { headlessShell } from './test/headless-shell.ts';
import { SlowestReporter } from './test/slowest-reporter.ts';

// Limits are for what hangs, not for what is slow: machines that share their cores can take ten times as long.
// Tests that need a browser run in three processes, each of which launches one Chromium and runs one file after the other: they
// wait for pages as long as they work.
const inBrowser = ['test/**/*.browser.test.ts'];
// Each mocks a module, which no other may meet. All others share a few processes and what these have loaded.
const isolated = ['test/agent/settling.test.ts', 'test/agent/retrying-reference.test.ts'];
// They have a script of their own: `npm run test:full`.
const long = ['test/**/*.long.test.ts'];

// A busy machine is no failure: an awaited value may take its time. Without this, Vitest gives up after a second.
const poll = { timeout: 60_000, interval: 20 };
// Vitest asks for colours where it prints them itself; what the tests read is plain.
const env = { FORCE_COLOR: '0' };
const plainTests = {
  setupFiles: ['test/own-environment.ts'],
  maxWorkers: 3,
  testTimeout: 300_000,
  hookTimeout: 120_000,
  expect: { poll },
  env,
};
const browserTests = {
  setupFiles: ['test/kept-browsers.ts', 'test/own-environment.ts'],
  isolate: false,
  maxWorkers: 3,
  testTimeout: 300_000,
  hookTimeout: 120_000,
  expect: { poll },
};

// One file should not wait for a build.
const isWhole = process.env['npm_lifecycle_event'] === 'test';

export default defineConfig({
  test: {
    globalSetup: ['test/unpacked-bundles.ts', ...(isWhole ? ['test/built-program.ts'] : [])],
    reporters: ['default', new SlowestReporter(20)],
    projects: [
      { test: { ...plainTests, name: 'isolated', include: isolated } },
      {
        test: {
          ...plainTests,
          name: 'plain',
          include: ['test/**/*.test.ts'],
          exclude: [...inBrowser, ...long, ...isolated],
          isolate: false,
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
