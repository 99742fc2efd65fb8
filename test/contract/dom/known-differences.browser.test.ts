import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { renderedText } from '../../../src/contract/dom/rendered-text.ts';
import { selectAll } from '../../../src/contract/dom/select.ts';
import { normaliseText } from '../../../src/contract/strings.ts';
import { openPage, type CapturedPage } from './capture.ts';
import { byId } from './find.ts';

let captured: CapturedPage;
beforeAll(async () => {
  captured = await openPage();
});
afterAll(() => captured.page.context().close());

interface TextDifference {
  readonly name: string;
  readonly html: string;
  readonly innerText: string;
  readonly engine: string;
}

const textDifferences: TextDifference[] = [
  {
    name: 'an element that is not rendered has no text, where the browser falls back to textContent',
    html: '<p id=it hidden>secret</p>',
    innerText: 'secret',
    engine: '',
  },
  {
    name: 'a host has the text of its shadow tree, where the browser sees only the children in slots',
    html: '<x-y id=it><template shadowrootmode=open>shadow <slot></slot></template>light</x-y>',
    innerText: 'light',
    engine: 'shadow light',
  },
  {
    name: 'a hidden list box has no text, where the browser gives its options when it is asked itself',
    html: '<select id=it style="visibility:hidden"><option>a</select>',
    innerText: 'a',
    engine: '',
  },
  {
    name: 'a group has the text of all its options, where the browser leaves out some in some lists',
    html: '<select multiple><optgroup id=it label=x><option style="display:none">a<option>b</select>',
    innerText: 'b',
    engine: 'a b',
  },
  {
    name: 'what a list box shows besides its options is text, where the browser gives the options only',
    html: `<style>select,::picker(select){appearance:base-select}</style>
      <div id=it><select><button>Choose</button><option>a</select></div>`,
    innerText: 'a',
    engine: 'Choose a',
  },
  {
    name: 'the option that a list box shows as chosen is text once more',
    html: `<style>select,::picker(select){appearance:base-select}</style>
      <div id=it><select><button><selectedcontent></selectedcontent></button><option>a<option>b</select></div>`,
    innerText: 'a b',
    engine: 'a a b',
  },
  {
    name: 'a list box shown as a block parts the texts around it even when it is empty',
    html: '<div id=it>a<select style="display:block"></select>b</div>',
    innerText: 'ab',
    engine: 'a b',
  },
  {
    name: 'a skipped block parts the texts around it',
    html: '<div id=it>a<div style="content-visibility:hidden"></div>b</div>',
    innerText: 'ab',
    engine: 'a b',
  },
  {
    name: 'a line break in the source next to a zero-width space or <wbr> is a space',
    html: '<div id=it>a<wbr>\nb</div>',
    innerText: 'ab',
    engine: 'a b',
  },
  {
    name: 'a row without a table is a line, also when text follows it',
    html: '<div id=it><div style="display:table-row">a</div>b</div>',
    innerText: 'ab',
    engine: 'a b',
  },
  {
    name: 'a cell that is not shown as one is not parted from the cell before by a tab',
    html: '<table><tr id=it><td>a<td style="display:inline-block">b</table>',
    innerText: 'a b',
    engine: 'ab',
  },
  {
    name: 'open details shown inline are not lines of their own',
    html: '<div id=it><details open style="display:inline"><summary>s</summary>a </details>b</div>',
    innerText: 's ab',
    engine: 's a b',
  },
  {
    name: 'a void element shown as a block parts the texts around it',
    html: '<div id=it>a<wbr style="display:grid">b</div>',
    innerText: 'ab',
    engine: 'a b',
  },
  {
    name: 'closed details show their summary only, even when a style opens them',
    html: '<style>details::details-content{content-visibility:visible}</style><details id=it><summary>s</summary><p>a</p></details>',
    innerText: 's a',
    engine: 's',
  },
  {
    name: 'a first letter of its own belongs to the block, not to the inline element that it was in',
    html: '<style>div::first-letter{color:red}</style><div><b id=it>Hello</b></div>',
    innerText: 'Hello',
    engine: 'ello',
  },
];

test.each(textDifferences)('text: $name', async ({ html, innerText, engine }) => {
  await captured.page.setContent(`<!doctype html><body>${html}`);
  const browser = await captured.page.evaluate(`document.getElementById('it').innerText`);
  const frame = await captured.main();
  expect(normaliseText(z.string().parse(browser))).toBe(innerText);
  expect(normaliseText(renderedText(byId(frame, 'it')))).toBe(engine);
});

test('text: a frame that its owner does not show has no text; the browser asks only the frame', async () => {
  await captured.page.setContent('<iframe style="visibility:hidden" srcdoc="<p id=it>a"></iframe>');
  const browser = await captured.page.evaluate(
    `document.querySelector('iframe').contentDocument.getElementById('it').innerText`,
  );
  const { frames } = await captured.frames();
  expect(browser).toBe('a');
  expect(frames.flatMap((frame) => selectAll(frame, '#it').map(renderedText))).toEqual(['']);
});

test('text: in an XML document, closed details that were open keep their text', async () => {
  const xml = await openPage();
  const details = '<details open="" id="it"><summary>s</summary>a</details>';
  const body = `<html xmlns="http://www.w3.org/1999/xhtml">${details}</html>`;
  await xml.page.route('http://xml.localhost/', (route) =>
    route.fulfill({ contentType: 'application/xhtml+xml', body }),
  );
  await xml.page.goto('http://xml.localhost/');
  const browser = await xml.page.evaluate(`{ const it = document.getElementById('it');
    it.getBoundingClientRect(); it.open = false; it.innerText }`);
  expect(browser).toBe('s');
  expect(normaliseText(renderedText(byId(await xml.main(), 'it')))).toBe('s a');
  await xml.page.context().close();
});

interface SelectionDifference {
  readonly name: string;
  readonly body: string;
  /** Its value is what the browser finds, in all tree scopes. */
  readonly script: string;
  readonly selector: string;
  readonly querySelectorAll: readonly string[];
  readonly engine: readonly string[];
}

const attach = `const root = (host, html) => {
  const shadow = document.getElementById(host).attachShadow({ mode: 'open' });
  shadow.innerHTML = html;
  return shadow;
};
const ids = (...scopes) => scopes.flatMap((scope) => [...scope.querySelectorAll(selector)].map(({ id }) => id));`;

const selectionDifferences: SelectionDifference[] = [
  {
    name: 'a child of a host that is in no slot is not in the capture, as nobody can see it',
    body: '<x-y id=host><p id=lost></p></x-y>',
    script: `root('host', '<b id=b></b>'); ids(document)`,
    selector: 'p',
    querySelectorAll: ['lost'],
    engine: [],
  },
  {
    name: 'the fallback content of a filled slot is not in the capture, as nobody can see it',
    body: '<x-y id=host>light</x-y>',
    script: `const r = root('host', '<slot><p id=fallback></p></slot>'); ids(document, r)`,
    selector: 'p',
    querySelectorAll: ['fallback'],
    engine: [],
  },
  {
    name: 'the children of a host are in the order of their slots',
    body: '<x-y id=host><p id=one slot=b></p><p id=two slot=a></p></x-y>',
    script: `root('host', '<slot name=a></slot><slot name=b></slot>'); ids(document)`,
    selector: 'p:first-child',
    querySelectorAll: ['one'],
    engine: ['two'],
  },
  {
    name: 'a shadow root directly inside one of the same mode is taken to be part of it',
    body: '<x-y id=host></x-y>',
    script: `const r = root('host', '<x-y id=inner></x-y>');
      const s = r.getElementById('inner').attachShadow({ mode: 'open' }); s.innerHTML = '<p id=p></p>'; ids(document, r, s)`,
    selector: 'x-y p',
    querySelectorAll: [],
    engine: ['p'],
  },
  {
    name: 'in a shadow tree, Chromium takes the host for a parent when * or :has() stands before a space',
    body: '<x-y id=host></x-y>',
    script: `const r = root('host', '<p id=p></p>'); ids(document, r)`,
    selector: '* p',
    querySelectorAll: ['p'],
    engine: [],
  },
];

test.each(selectionDifferences)('selection: $name', async ({ body, script, selector, querySelectorAll, engine }) => {
  await captured.page.setContent(`<!doctype html><body>${body}`);
  const browser = await captured.page.evaluate(`{ const selector = ${JSON.stringify(selector)}; ${attach} ${script} }`);
  const frame = await captured.main();
  expect(browser).toEqual(querySelectorAll);
  expect(selectAll(frame, selector).map((element) => element.attributes.get('id'))).toEqual(engine);
});
