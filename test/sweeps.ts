/**
 * Tests in a browser that `npm run test:long` runs and `npm test` does not: whole campaigns by the command line, but for one file,
 * and the same table of cases through every surface.
 */
export const SWEEPS = [
  'test/cli/!(run).browser.test.ts',
  'test/suites/*.browser.test.ts',
  'test/docs/*.browser.test.ts',
  'test/action/*.browser.test.ts',
  'test/testing/*.browser.test.ts',
  'test/surface/equal-capability.browser.test.ts',
  'test/surface/**/targets.browser.test.ts',
];
