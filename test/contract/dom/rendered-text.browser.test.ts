import { expect, test } from 'vitest';
import { renderedText } from '../../../src/contract/dom/rendered-text.ts';
import { selectAll } from '../../../src/contract/dom/select.ts';
import { captureHtml } from './capture.ts';
import { byId } from './find.ts';

async function textOf(html: string, script?: string): Promise<string> {
  return renderedText(byId(await captureHtml(`<div id=it>${html}</div>`, script), 'it'));
}

test.each([
  ['blocks are lines of their own', 'a<div>b</div>c', 'a\nb\nc'],
  ['paragraphs have an empty line between them', '<p>a</p><p>b</p>', 'a\n\nb'],
  ['a <br> is a line break', 'a<br>b<br><br>c', 'a\nb\n\nc'],
  ['cells are parted by tabs, rows by lines', '<table><caption>t<tr><th>a<th>b<tr><td>c<td>d</table>', 't\na\tb\nc\td'],
  ['list items are lines without their markers', '<ol><li>a<li>b</ol>', 'a\nb'],
  ['white space collapses as in the layout', ' a \n <b> b</b>  c ', 'a b c'],
  ['preformatted text keeps its white space', '<pre>a  b\n c</pre>', 'a  b\n c'],
  ['an inline block trims its own ends only', 'a <span style="display:inline-block"> b </span>c', 'a bc'],
  ['text is shown as transformed', '<b style="text-transform:uppercase">straße</b>', 'STRASSE'],
  ['a first letter of its own belongs to the text', '<style>p::first-letter{color:red}</style><p>Hello</p>', 'Hello'],
  ['generated content is not text', '<style>b::before{content:"X"}b::after{content:"Y"}</style><b>a</b>', 'a'],
  ['what has no box is not shown', 'a<b hidden>b</b><script>c</script><b style="display:none">d</b>', 'a'],
  ['what is invisible is not shown', 'a<b style="visibility:hidden">b</b><b style="visibility:collapse">c</b>', 'a'],
  [
    'what is visible inside the invisible is shown',
    '<b style="visibility:hidden">a<i style="visibility:visible">b</i></b>',
    'b',
  ],
  ['an element without a box of its own shows its children', 'a<p style="display:contents">b</p>c', 'abc'],
  ['values of fields are not text', 'a<input value=b><textarea>c</textarea><input type=submit value=d>', 'a'],
  ['a list box shows all its options', 'a<select><option>b<optgroup label=x><option>c</select>d', 'a\nb\nc\nd'],
  ['a frame is not part of the text around it', 'a<iframe srcdoc="<p>b"></iframe>c', 'ac'],
  ['an object that failed to load shows its children', 'a<object data="data:x/y,">b<p>c</p></object>d', 'ab\n\nc\n\nd'],
  ['an object without data shows its children', 'a<object>b<i hidden>c</i></object>d', 'abd'],
  ['an object in an object that failed to load may show its children', '<object>a<object>b</object></object>', 'ab'],
  ['an object that loaded does not show its children', 'a<object data="data:text/html,x">b</object>c', 'ac'],
  [
    'a canvas, a video and a meter do not show their children',
    'a<canvas>b</canvas><video>c</video><meter>d</meter>',
    'a',
  ],
  ['an option without a list box shows its label', 'a<option>b<i>c</i></option>d', 'a\nbc\nd'],
  ['a group without a list box shows what is in it', '<optgroup label=x>a<option>b</optgroup>', 'a\nb'],
  [
    'a list box that skips its content shows nothing',
    'a<select style="content-visibility:hidden"><option>b</select>',
    'a',
  ],
  ['closed details show their summary only', '<details>a<summary>b</summary>c<fieldset>d</fieldset></details>', 'b'],
  ['open details show everything', '<details open><summary>a</summary>b</details>', 'a\nb'],
  ['a skipped subtree shows nothing', '<div style="content-visibility:hidden">a</div>b', 'b'],
  ['text from right to left stays in the order of reading', '<p dir=rtl>שלום <b>abc</b></p>', 'שלום abc'],
])('%s', async (_, html, text) => {
  expect(await textOf(html)).toBe(text);
});

test.each([
  ['details that were closed', '<details open id=d><summary>a</summary>b<p>c</p></details>', 'd.open = false', 'a'],
  ['a subtree that is skipped from now on', 'a<div id=d>b<p>c</p></div>', 'd.style.contentVisibility = "hidden"', 'a'],
])('%s show nothing, though the browser keeps their layout', async (_, html, change, text) => {
  const script = `const d = document.getElementById('d'); d.getBoundingClientRect(); ${change}`;
  expect(await textOf(html, script)).toBe(text);
});

test.each('img input textarea select option object canvas details'.split(' '))(
  'an element of another namespace also called %s shows its children',
  async (name) => {
    const script = `const it = document.createElementNS('urn:x', '${name}'); it.append('b');
      document.getElementById('it').append(it)`;
    expect(await textOf('a', script)).toBe('ab');
  },
);

test.each(['open', 'closed'])('an %s shadow tree is shown with its slots filled in their own order', async (mode) => {
  const shadow = `<template shadowrootmode=${mode}><slot name=b></slot>-<slot></slot>-<slot name=c>fallback</slot></template>`;
  expect(await textOf(`<x-y>${shadow}one <i slot=b>two</i><i slot=z>lost</i></x-y>`)).toBe('two-one -fallback');
});

test('an element that is not rendered has no text', async () => {
  const frame = await captureHtml('<p id=a hidden>a</p><div style="display:none"><p id=b>b</p></div>');
  expect(['a', 'b'].map((id) => renderedText(byId(frame, id)))).toEqual(['', '']);
});

test('an option has its text while its list box is shown', async () => {
  const list = '<option selected>b</select>';
  const frame = await captureHtml(
    `<select><option>a${list}<select hidden>${list}<select style="visibility:hidden">${list}`,
  );
  expect(selectAll(frame, 'option:checked').map(renderedText)).toEqual(['b', '', '']);
});

test('options chosen and boxes ticked by the user are checked', async () => {
  const html = '<select><option>a<option>b</select><input type=checkbox id=c><input type=radio id=r checked>';
  const change = `document.querySelector('select').selectedIndex = 1;
    document.getElementById('c').click(); document.getElementById('r').checked = false`;
  expect(selectAll(await captureHtml(html, change), ':checked').map(({ name }) => name)).toEqual(['option', 'input']);
});

test('fields named like properties of their form change nothing', async () => {
  const clobber = ['innerText', 'textContent', 'children', 'attributes', 'parentNode', 'id', 'querySelectorAll']
    .map((name) => `<input name=${name} value=no>`)
    .join('');
  const frame = await captureHtml(`<form class=order>paid ${clobber}</form>`);
  expect(selectAll(frame, 'form.order').map(renderedText)).toEqual(['paid ']);
});

test('scripts that replace the page’s query functions change nothing', async () => {
  const lie = `
    const no = () => { throw new Error('no'); };
    Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = () => [];
    for (const [of, name] of [[HTMLElement, 'innerText'], [Node, 'textContent'], [Element, 'shadowRoot'], [Element, 'attributes']])
      Object.defineProperty(of.prototype, name, { get: () => 'no' });
    globalThis.getComputedStyle = JSON.stringify = JSON.parse = Array.prototype.map = Function.prototype.call = no;`;
  const frame = await captureHtml('<p class=total>12 <b hidden>no</b>€</p>', lie);
  expect(selectAll(frame, 'p.total').map(renderedText)).toEqual(['12 €']);
});
