import { defineConfig } from 'vitest/config';

const inBrowser = ['test/**/*.browser.long.test.ts'];
const shared = { maxWorkers: 2, testTimeout: 1_800_000, hookTimeout: 900_000, env: { FORCE_COLOR: '0' } };

/** What takes minutes: the second script of CI, `npm run test:long`. */
export default defineConfig({
  test: {
    globalSetup: ['test/unpacked-bundles.ts'],
    projects: [
      { test: { ...shared, name: 'plain', include: ['test/**/*.long.test.ts'], exclude: inBrowser } },
      {
        test: {
          ...shared,
          name: 'browser',
          include: inBrowser,
          isolate: false,
          expect: { poll: { timeout: 60_000, interval: 20 } },
        },
      },
    ],
  },
});
