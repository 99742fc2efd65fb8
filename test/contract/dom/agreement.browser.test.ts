import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CapturedElement, CapturedFrame } from '../../../src/contract/dom/captured-tree.ts';
import { renderedText } from '../../../src/contract/dom/rendered-text.ts';
import { selectAll } from '../../../src/contract/dom/select.ts';
import { normaliseText } from '../../../src/contract/text.ts';
import { buildAndAsk, type Oracle } from './browser-oracle.ts';
import { openPage, type CapturedPage } from './capture.ts';
import { numbered, plainTree } from './page-model.ts';
import { selectors, selectorsInShadow } from './selector-model.ts';
import { flatten, shadowTree } from './shadow-model.ts';

// Where the engine and the browser differ on purpose, or the browser errs, the page models leave it out;
// known-differences.browser.test.ts shows each of these cases by itself.

const SEED = 20_261_121;
const ten = (selector: fc.Arbitrary<string>) => fc.array(selector, { minLength: 10, maxLength: 10 });

let captured: CapturedPage;
beforeAll(async () => {
  captured = await openPage();
});
afterAll(() => captured.page.context().close());

test('text agrees with innerText, and selections with querySelectorAll, on 400 generated pages', async () => {
  const property = fc.asyncProperty(plainTree.nodes, ten(selectors), async (nodes, list) => {
    const { texts, found } = await buildAndAsk(captured.page, numbered(nodes), list);
    const frame = await captured.main();
    expectTexts(frame, texts);
    expectSelections(frame, list, found);
  });
  await fc.assert(property, { seed: SEED, numRuns: 400 });
});

test('selections agree in every tree scope, and text with innerText of the flat tree, on 100 generated pages with shadow roots', async () => {
  const property = fc.asyncProperty(shadowTree, ten(selectorsInShadow), async (nodes, list) => {
    const model = numbered(nodes);
    const { texts } = await buildAndAsk(captured.page, flatten(model), []);
    const { found } = await buildAndAsk(captured.page, model, list);
    const frame = await captured.main();
    expectTexts(frame, texts);
    expectSelections(frame, list, found);
  });
  await fc.assert(property, { seed: SEED, numRuns: 100 });
});

function expectTexts(frame: CapturedFrame, texts: Oracle['texts']): void {
  const asked = frame.elements.filter((element) => element.name !== 'slot' && numberOf(element) in texts);
  const entries = (text: (element: CapturedElement) => string) =>
    Object.fromEntries(asked.map((element) => [numberOf(element), normaliseText(text(element))]));
  expect(entries(renderedText)).toEqual(entries((element) => texts[numberOf(element)] ?? ''));
}

function expectSelections(frame: CapturedFrame, list: readonly string[], found: Oracle['found']): void {
  expect(list.map((selector) => [selector, selectAll(frame, selector).map(numberOf)])).toEqual(
    list.map((selector, i) => [selector, found[i]]),
  );
}

function numberOf(element: CapturedElement): string {
  return element.attributes.get('data-n') ?? element.name;
}
