import { defineConfig } from 'vitest/config';
import { LONG_IN_FULL_CHROMIUM, LONG_IN_SHELL } from './test/browser-tests.ts';
import { headlessShell } from './test/headless-shell.ts';
import { LongestFirst } from './test/longest-first.ts';
import { MinutesReporter } from './test/minutes-reporter.ts';
import { SlowestReporter } from './test/slowest-reporter.ts';

const env = { FORCE_COLOR: '0' };
const shared = {
  maxWorkers: 3,
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
};
const inBrowser = { ...shared, setupFiles: ['test/kept-browsers.ts', 'test/own-environment.ts'], isolate: false };

/** `npm run test:full`: everything that takes minutes. `npm run test:ci` runs a part of it. */
export default defineConfig({
  test: {
    globalSetup: ['test/unpacked-bundles.ts', 'test/built-program.ts'],
    reporters: ['default', new MinutesReporter(), new SlowestReporter(20)],
    // A line for each test of seconds would hide where the time goes.
    slowTestThreshold: 60_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'plain',
          setupFiles: ['test/own-environment.ts'],
          include: ['test/**/*.long.test.ts'],
          exclude: ['test/**/*.browser.long.test.ts'],
          env,
        },
      },
      { test: { ...inBrowser, name: 'full', include: LONG_IN_FULL_CHROMIUM, env } },
      { test: { ...inBrowser, name: 'shell', include: LONG_IN_SHELL, env: { ...env, ...headlessShell() } } },
    ],
  },
});
