import { defineConfig } from 'vitest/config';
import { SlowestReporter } from './test/slowest-reporter.ts';

// Limits are for what hangs, not for what is slow: machines that share their cores can take ten times as long.
// Tests that need a browser run in two processes, each of which launches one Chromium and runs one file after the other.
const inBrowser = ['test/**/*.browser.test.ts'];
// They have a script of their own: `npm run test:long`.
const long = ['test/**/*.long.test.ts'];

// Vitest asks for colours where it prints them itself; what the tests read is plain.
const env = { FORCE_COLOR: '0' };

export default defineConfig({
  test: {
    reporters: ['default', new SlowestReporter(20)],
    projects: [
      {
        test: {
          name: 'plain',
          include: ['test/**/*.test.ts'],
          exclude: [...inBrowser, ...long],
          maxWorkers: 2,
          testTimeout: 120_000,
          env,
        },
      },
      {
        test: {
          name: 'browser',
          include: inBrowser,
          env,
          isolate: false,
          maxWorkers: 2,
          testTimeout: 300_000,
          hookTimeout: 120_000,
          // A busy machine is no failure: what is awaited may take its time.
          expect: { poll: { timeout: 60_000, interval: 20 } },
        },
      },
    ],
  },
});
