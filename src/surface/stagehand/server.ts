import { serveLibrary } from '../library/serve.ts';
import { StagehandDriver } from './driver.ts';

await serveLibrary({
  connect: (cdpUrl) => StagehandDriver.connect(cdpUrl),
  words: {
    snapshot: "Look at the current tab: Stagehand's snapshot of it and its frames, with an id for every element.",
    selector:
      'Id of the element in the latest snapshot, for example 0-41; or an XPath (xpath=/html/body/a), or CSS, with >> into a frame',
    option: 'Text or value of the option',
    newTab: 'A tab that a page opens becomes the current one.',
    dialog: 'Stagehand does not tell when one opens; the page then answers nothing else.',
  },
});
