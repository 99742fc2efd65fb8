import { defineConfig } from 'vitest/config';

/** What takes minutes: the second script of CI, `npm run test:long`. */
export default defineConfig({
  test: {
    include: ['test/**/*.long.test.ts'],
    maxWorkers: 2,
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
    env: { FORCE_COLOR: '0' },
  },
});
