import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderedText } from '../../../src/contract/dom/rendered-text.ts';
import { openPage, type CapturedPage } from './capture.ts';
import { byId } from './find.ts';

// Rendered is not the same as seen. `innerText` and the engine treat the unseen text here the same.

let captured: CapturedPage;
beforeAll(async () => {
  captured = await openPage();
});
afterAll(() => captured.page.context().close());

async function bothTexts(html: string, script = ''): Promise<[unknown, string]> {
  await captured.page.setContent(`<!doctype html><body>${html}`);
  await captured.page.evaluate(script);
  const engine = renderedText(byId(await captured.main(), 'it'));
  return [await captured.page.evaluate(`document.getElementById('it').innerText`), engine];
}

const box = 'display:inline-block;';

test.each([
  ['opacity 0', 'opacity:0'],
  ['letters of size 0', 'font-size:0'],
  ['transparent letters', 'color:transparent'],
  ['a place off the screen', `${box}margin-left:-9999px`],
  ['a box of size 0 that hides its overflow', `${box}width:0;height:0;overflow:hidden`],
  ['clip-path', `${box}clip-path:inset(50%)`],
  ['a scale of 0', `${box}transform:scale(0)`],
  ['a filter', `${box}filter:opacity(0)`],
  ['a mask', `${box}mask:linear-gradient(transparent,transparent)`],
])('%s hides text from the eye only', async (_, style) => {
  expect(await bothTexts(`<div id=it>a<b style="${style}">b</b></div>`)).toEqual(['ab', 'ab']);
});

test('an element over text hides it from the eye only', async () => {
  const cover = '<i style="position:fixed;inset:0;background:red"></i>';
  expect(await bothTexts(`<div id=it>a</div>${cover}`)).toEqual(['a', 'a']);
});

test('text that an SVG only defines is text', async () => {
  expect(await bothTexts('<div id=it><svg><defs><text>a</text></defs></svg></div>')).toEqual(['a', 'a']);
});

const far = '<p style="height:20000px"></p><div style="content-visibility:auto" id=far><p id=it>a</p></div>';

test('text in content-visibility:auto has no layout before it comes near the screen', async () => {
  expect(await bothTexts(far)).toEqual(['', '']);
});

test('text in content-visibility:auto is text once it comes near the screen', async () => {
  const nextFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
  const scroll = `document.getElementById('far').scrollIntoView(); ${nextFrames}`;
  expect(await bothTexts(far, scroll)).toEqual(['a', 'a']);
});
