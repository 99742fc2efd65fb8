import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderedText } from '../../../src/contract/dom/rendered-text.ts';
import { selectAll } from '../../../src/contract/dom/select.ts';
import { openPage, type CapturedPage } from './capture.ts';

let captured: CapturedPage;
beforeAll(async () => {
  captured = await openPage();
});
afterAll(() => captured.page.context().close());

const frame = (style = '', content = '<p>b') => `<iframe style="${style}" srcdoc="${content}"></iframe>`;
const slotless = (content: string) => `<x-y><template shadowrootmode=open></template>${content}</x-y>`;

async function textsOf(html: string, change = ''): Promise<string> {
  await captured.page.setContent(`<!doctype html><body>${html}`);
  await captured.page.evaluate(`document.body.getBoundingClientRect(); ${change}`);
  const { frames } = await captured.frames();
  return frames.flatMap((each) => selectAll(each, 'p').map(renderedText)).join();
}

test.each([
  ['an iframe', frame()],
  [
    'an iframe that is visible inside the invisible',
    `<div style="visibility:hidden">${frame('visibility:visible')}</div>`,
  ],
  ['an iframe in open details', `<details open>${frame()}</details>`],
  ['an iframe in an iframe', frame('', `<iframe srcdoc='<p>b'></iframe>`)],
  ['an object with a document', '<object data="data:text/html,<p>b"></object>'],
  ['an embedded document', '<embed src="data:text/html,<p>b">'],
  ['an iframe in the fallback of an object', `<object>${frame()}</object>`],
  ['an iframe of no size', frame('width:0;height:0;border:0')],
  ['an iframe that is transparent', frame('opacity:0')],
])('%s shows its document', async (_, html) => {
  expect(await textsOf(html)).toBe('b');
});

test.each([
  ['an invisible iframe', frame('visibility:hidden')],
  ['an iframe inside the invisible', `<div style="visibility:hidden">${frame()}</div>`],
  ['an iframe without a box', frame('display:none')],
  ['an iframe that skips its content', frame('content-visibility:hidden')],
  ['an iframe in a skipped subtree', `<div style="content-visibility:hidden">${frame()}</div>`],
  ['an iframe in closed details', `<details>${frame()}</details>`],
  ['an iframe in no slot', slotless(frame())],
  ['an iframe in an invisible iframe', frame('visibility:hidden', `<iframe srcdoc='<p>b'></iframe>`)],
  ['an invisible object', '<object style="visibility:hidden" data="data:text/html,<p>b"></object>'],
])('%s shows nothing of its document', async (_, html) => {
  expect(await textsOf(html)).toBe('');
});

test.each([
  ['is made invisible', `it.style.visibility = 'hidden'`],
  ['skips its content from now on', `it.style.contentVisibility = 'hidden'`],
  ['is closed in', 'it.parentNode.open = false'],
  ['loses its slot', `it.parentNode.attachShadow({ mode: 'open' })`],
])('a frame whose owner %s shows nothing, though the browser keeps its layout', async (_, change) => {
  const parent = change.includes('attachShadow') ? 'div' : 'details open';
  const script = `const it = document.querySelector('iframe'); ${change}`;
  expect(await textsOf(`<${parent}>${frame()}`, `{ ${script} }`)).toBe('');
});
