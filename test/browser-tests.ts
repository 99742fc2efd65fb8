/** The tests in a browser that `npm test` runs in full Chromium: it isolates sites and knows commands that the headless shell does not, and a run starts it. */
export const IN_FULL_CHROMIUM = [
  'test/browser/confined.browser.test.ts',
  'test/cli/run.browser.test.ts',
  'test/browser/capture.browser.test.ts',
  'test/browser/gateway/gateway.browser.test.ts',
  'test/contract/dom/frames.browser.test.ts',
];

/**
 * The tests in a browser that `npm test` leaves to `npm run test:full`, and that the headless shell can stand in for: whole campaigns, the pages of the
 * built-in app and of reports, and what goes wrong in an episode.
 */
export const LONG_IN_SHELL = [
  'test/cli/!(run|named-browsers|queue-browsers|init|record-task|webvoyager-real).browser.test.ts',
  'test/docs/*.browser.test.ts',
  'test/agent/no-model-code.browser.test.ts',
  'test/apps/**/*.browser.test.ts',
  'test/dataset/miniwob-witness.browser.test.ts',
  'test/run/*.browser.test.ts',
  'test/episode/stress/*.browser.test.ts',
  'test/episode/{one-moment,film,trace}.browser.test.ts',
  'test/nac3/*.browser.test.ts',
  'test/report/**/*.browser.test.ts',
  'test/row/*.browser.test.ts',
  'test/scripts/*.browser.test.ts',
  'test/surface/mcp/script-calls.browser.test.ts',
  'test/surface/nac3/vendor.browser.test.ts',
  'test/{cli,docs,episode,verify}/**/*.browser.long.test.ts',
  'test/suites/protocol*.browser.long.test.ts',
  'test/viewer/*.browser.test.ts',
  'test/world/outside-app/*.browser.test.ts',
];

/** Those of them that run in full Chromium: the browser as a process, libraries and tool servers, and every task of the other suites. */
export const LONG_IN_FULL_CHROMIUM = [
  'test/cli/{named-browsers,queue-browsers,init,record-task,webvoyager-real}.browser.test.ts',
  'test/cases/*.browser.test.ts',
  'test/suites/*.browser.test.ts',
  'test/suites/!(protocol*).browser.long.test.ts',
  'test/action/*.browser.test.ts',
  'test/testing/*.browser.test.ts',
  'test/surface/**/targets.browser.test.ts',
  'test/surface/**/*.browser.long.test.ts',
  'test/browser/attach.browser.test.ts',
  'test/browser/kept-browsers.browser.test.ts',
  'test/browser/launch.browser.test.ts',
  'test/browser/pool.browser.test.ts',
  'test/browser/gateway/{files,machine-files,own-window}.browser.test.ts',
  'test/contract/dom/agreement.browser.test.ts',
  'test/episode/viewport.browser.test.ts',
  'test/surface/library/libraries.browser.test.ts',
  'test/surface/mcp/by-tab-id.browser.test.ts',
];
