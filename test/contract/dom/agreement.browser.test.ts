import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CapturedElement, CapturedFrame } from '../../../src/contract/dom/captured-tree.ts';
import { renderedText } from '../../../src/contract/dom/rendered-text.ts';
import { selectAll } from '../../../src/contract/dom/select.ts';
import { normaliseText } from '../../../src/contract/strings.ts';
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
    const oracle = await buildAndAsk(captured.page, numbered(nodes), list);
    const frame = await captured.main();
    expect(ofEngine(oracle, list, frame)).toEqual(ofBrowser(oracle, list, frame));
  });
  await fc.assert(property, { seed: SEED, numRuns: 400 });
});

test('selections agree in every tree scope, and text with innerText of the flat tree, on 100 generated pages with shadow roots', async () => {
  const property = fc.asyncProperty(shadowTree, ten(selectorsInShadow), async (nodes, list) => {
    const model = numbered(nodes);
    const { texts } = await buildAndAsk(captured.page, flatten(model), []);
    const { found } = await buildAndAsk(captured.page, model, list);
    const frame = await captured.main();
    const oracle = { texts, found };
    expect(ofEngine(oracle, list, frame)).toEqual(ofBrowser(oracle, list, frame));
  });
  await fc.assert(property, { seed: SEED, numRuns: 100 });
});

type Answers = Record<string, unknown>;

function ofBrowser({ texts, found }: Oracle, list: readonly string[], frame: CapturedFrame): Answers {
  return answers(
    frame,
    texts,
    (element) => texts[numberOf(element)] ?? '',
    list,
    (_, i) => found[i],
  );
}

/** The text of each element by its number, and the numbers that each selector finds. */
function ofEngine({ texts }: Oracle, list: readonly string[], frame: CapturedFrame): Answers {
  return answers(frame, texts, renderedText, list, (selector) => selectAll(frame, selector).map(numberOf));
}

function answers(
  frame: CapturedFrame,
  texts: Oracle['texts'],
  textOf: (element: CapturedElement) => string,
  list: readonly string[],
  find: (selector: string, i: number) => unknown,
): Answers {
  const asked = frame.elements.filter((element) => element.name !== 'slot' && numberOf(element) in texts);
  const text = asked.map((element) => [numberOf(element), normaliseText(textOf(element))]);
  return Object.fromEntries([...text, ...list.map((selector, i) => [`${i} ${selector}`, find(selector, i)])]);
}

function numberOf(element: CapturedElement): string {
  return element.attributes.get('data-n') ?? element.name;
}
