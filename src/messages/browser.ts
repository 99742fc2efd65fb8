import type { Template } from './template.ts';

const RETRY = 'run again; if it happens every time, run "touchstone doctor"';
const ENDPOINT =
  'start the browser with --remote-debugging-port=9222 and a --user-data-dir of its own, and give --browser-endpoint http://127.0.0.1:9222';

/** Why a browser cannot be used, or did not do what it was asked. */
export const BROWSER = {
  browser_not_a_program: {
    text: 'TOUCHSTONE_BROWSER is {path}, which is not a program that can be run',
    remedy: 'set TOUCHSTONE_BROWSER to the path of a Chromium or Chrome binary, or unset it',
  },
  browser_missing: {
    text: 'no {kind|full:Chromium or Chrome|shell:headless shell} was found',
    remedy:
      'run "touchstone doctor --install{kind|full:|shell: --browser shell}", or install Chromium yourself, or set TOUCHSTONE_BROWSER to the path of its binary',
  },
  browser_not_installed: {
    text: 'no browser could be installed: {failures}',
    remedy: 'install Chromium or Chrome with your package manager, or set TOUCHSTONE_BROWSER to the path of its binary',
  },
  browser_not_started: {
    text: 'Chromium did not start: {why}{printed|true:; it printed:\n{output}|other:}',
    remedy: 'run "touchstone doctor" to see which browser was found and what it needs',
  },
  browser_gone: { text: 'the browser is gone ({what} was not answered)', remedy: RETRY },
  browser_cut_off: {
    text: 'the connection to the browser was cut ({what} was not answered): {why}',
    remedy: RETRY,
  },
  browser_refuses: { text: 'the browser refused {method}: {why}', remedy: RETRY },
  browser_silent: { text: 'the browser did not answer {method} within {ms} ms', remedy: RETRY },
  browser_bad_message: { text: 'the browser sent an invalid message: {why}', remedy: RETRY },
  browser_unhandled: {
    text: 'a message from the browser at {shown} could not be handled{event=}: {why}',
    remedy: RETRY,
  },
  browser_floods: { text: 'more than {what}', remedy: RETRY },
  page_not_opened: { text: '{url} does not open: {why}', remedy: RETRY },
  page_late: { text: '{what} within {ms} ms', remedy: RETRY },
  endpoint_bad: { text: '--browser-endpoint is not the address of a browser', remedy: ENDPOINT },
  endpoint_elsewhere: {
    text: '{shown} is another machine: tasks are served only on this machine, and a browser elsewhere cannot reach them',
    remedy: 'run Touchstone on the machine of the browser',
  },
  endpoint_unreachable: { text: 'no browser answers at {shown}: {why}', remedy: ENDPOINT },
  endpoint_not_chromium: { text: '{shown} is not Chromium: {why}', remedy: ENDPOINT },
} as const satisfies Record<string, Template>;
