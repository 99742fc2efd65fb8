import { defineConfig } from 'vitest/config';
import { LONG_ALONE } from './test/browser-tests.ts';
import { LongestFirst } from './test/longest-first.ts';
import { MinutesReporter } from './test/minutes-reporter.ts';
import { SlowestReporter } from './test/slowest-reporter.ts';

const inBrowser = ['test/**/*.browser.long.test.ts'];
const shared = { maxWorkers: 3, testTimeout: 600_000, hookTimeout: 600_000, env: { FORCE_COLOR: '0' } };

/** The second script of CI, `npm run test:long`: all that takes minutes, in a browser in full Chromium. */
export default defineConfig({
  test: {
    globalSetup: ['test/unpacked-bundles.ts'],
    reporters: ['default', new MinutesReporter(), new SlowestReporter(20)],
    // A line for each test of seconds would hide where the time goes.
    slowTestThreshold: 60_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, name: 'plain', include: ['test/**/*.long.test.ts'], exclude: inBrowser } },
      {
        test: {
          ...shared,
          name: 'browser',
          include: [...LONG_ALONE, ...inBrowser],
          setupFiles: ['test/kept-browsers.ts'],
          isolate: false,
          expect: { poll: { timeout: 60_000, interval: 20 } },
        },
      },
    ],
  },
});
