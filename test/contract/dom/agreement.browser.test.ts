import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CapturedElement } from '../../../src/contract/dom/captured-tree.ts';
import { renderedText } from '../../../src/contract/dom/rendered-text.ts';
import { selectAll } from '../../../src/contract/dom/select.ts';
import { normaliseText } from '../../../src/contract/text.ts';
import { buildAndAsk } from './browser-oracle.ts';
import { openPage, type CapturedPage } from './capture.ts';
import { numbered, plainTree } from './page-model.ts';
import { selectors, selectorsWithoutHas } from './selector-model.ts';
import { flatten, shadowTree } from './shadow-model.ts';

const SEED = Number(process.env['SEED'] ?? 20_261_121);
const ten = (selector: fc.Arbitrary<string>) => fc.array(selector, { minLength: 10, maxLength: 10 });

let captured: CapturedPage;
beforeAll(async () => {
  captured = await openPage();
});
afterAll(() => captured.page.context().close());

function numberOf(element: CapturedElement): string {
  return element.attributes.get('data-n') ?? element.name;
}

test('text agrees with innerText, and selections with querySelectorAll, on generated pages', async () => {
  const property = fc.asyncProperty(plainTree.nodes, ten(selectors), async (nodes, list) => {
    const { texts, found } = await buildAndAsk(captured.page, numbered(nodes), list);
    const frame = await captured.main();
    const expected: Record<string, string> = {};
    const actual: Record<string, string> = {};
    for (const element of frame.elements) {
      const number = numberOf(element);
      const text = texts[number];
      if (text === undefined) continue;
      expected[number] = normaliseText(text ?? '');
      actual[number] = normaliseText(renderedText(element));
    }
    expect(actual).toEqual(expected);
    expect(list.map((selector) => [selector, selectAll(frame, selector).map(numberOf)])).toEqual(
      list.map((selector, i) => [selector, found[i]]),
    );
  });
  await fc.assert(property, { seed: SEED, numRuns: Number(process.env['RUNS'] ?? 300) });
});

test('selections agree with querySelectorAll in every tree scope, and text with innerText of the flat tree, on generated pages', async () => {
  const property = fc.asyncProperty(shadowTree, ten(selectorsWithoutHas), async (nodes, list) => {
    const model = numbered(nodes);
    const { texts } = await buildAndAsk(captured.page, flatten(model), []);
    const { found } = await buildAndAsk(captured.page, model, list);
    const frame = await captured.main();
    expect(list.map((selector) => [selector, selectAll(frame, selector).map(numberOf)])).toEqual(
      list.map((selector, i) => [selector, found[i]]),
    );
    for (const element of frame.elements) {
      const text = texts[numberOf(element)];
      if (text !== undefined && element.name !== 'slot')
        expect([numberOf(element), normaliseText(renderedText(element))]).toEqual([
          numberOf(element),
          normaliseText(text ?? ''),
        ]);
    }
  });
  await fc.assert(property, { seed: SEED, numRuns: Number(process.env['RUNS'] ?? 100) });
});
