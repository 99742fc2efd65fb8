import { serveLibrary } from '../library/serve.ts';
import { PuppeteerDriver } from './driver.ts';

await serveLibrary({
  connect: (cdpUrl) => PuppeteerDriver.connect(cdpUrl),
  words: {
    snapshot:
      "Look at the current tab: Puppeteer's accessibility snapshot of it and its frames, role and name of every element.",
    selector:
      'Puppeteer selector of the element: aria/Send[role="button"] (name and role as in a snapshot), text/Send, or CSS, also >>> through shadow roots; the first match counts, in the main frame, else in the other frames in their order',
    option: 'The value attribute of the option; its text, if it has none',
    newTab: 'A tab that a page opens stays in the background.',
    dialog: 'You are told when one opens.',
  },
});
