import { serveLibrary } from '../library/serve.ts';
import { PlaywrightDriver } from './driver.ts';

await serveLibrary({
  connect: (cdpUrl) => PlaywrightDriver.connect(cdpUrl),
  words: {
    snapshot:
      "Look at the current tab: Playwright's aria snapshot of it and its frames, with a reference for every element.",
    selector:
      'Playwright selector of exactly one element: aria-ref=e5 (a reference of the latest snapshot, also inside a frame), role=button[name="Send"], text=Send, or CSS',
    option: 'Text or value of the option',
    newTab: 'A tab that a page opens stays in the background.',
    dialog: 'You are told when one opens.',
  },
});
