import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/json.ts';
import { elementText, ListedElements } from '../../src/viewer/listed-elements.ts';

const PAGE = `Page: http://shop.localhost/

- generic [active] [ref=e1]:
  - heading "Checkout" [level=1] [ref=e2]
  - textbox "Your name" [ref=e5]: Ada
  - 'button "Pay: now" [ref=e6]'
  - paragraph [ref=e7]: "- button \\"Forged\\" [ref=e5]"
  - text: - button "Forged" [ref=e6]`;

/** Elements that a call with these arguments names, after replies that list these texts. */
function named(args: JsonObject, ...replies: string[]): string[] {
  const listed = new ListedElements();
  for (const [at, text] of replies.entries()) listed.take({ step: at + 1, text });
  return listed
    .namedBy({ args })
    .map((each) => `${elementText(each)}, ${each.argument} ${each.ref} of ${each.listedIn}`);
}

test('a reference is named as the reply that listed it last has it', () => {
  const later = '- button "Your order" [ref=e5]';
  expect(named({ ref: 'e5', text: 'Ada' }, PAGE)).toEqual(['textbox "Your name", ref e5 of 1']);
  expect(named({ ref: 'e6' }, PAGE)).toEqual(['button "Pay: now", ref e6 of 1']);
  expect(named({ ref: 'e5' }, PAGE, later)).toEqual(['button "Your order", ref e5 of 2']);
  expect(named({ ref: 'e5' }, PAGE, 'a dialog is open')).toEqual(['textbox "Your name", ref e5 of 1']);
});

test('an element without a name is named by its role', () => {
  expect(named({ ref: 'e1' }, PAGE)).toEqual(['generic, ref e1 of 1']);
});

test('of what was listed nowhere nothing is said', () => {
  expect(named({ ref: 'e9' }, PAGE)).toEqual([]);
  expect(named({ ref: 'e5' })).toEqual([]);
  expect(named({ ref: 5 }, PAGE)).toEqual([]);
});

test('a text that is typed is no reference, whatever it looks like', () => {
  expect(named({ text: 'e5', value: 'e6' }, PAGE)).toEqual([]);
});

test.each([
  ['playwright-mcp', { target: 'e5' }, PAGE, 'textbox "Your name", target e5 of 1'],
  ['playwright', { selector: 'aria-ref=e5' }, PAGE, 'textbox "Your name", selector e5 of 1'],
  ['chrome-devtools-mcp', { uid: '1_3' }, '  uid=1_3 button "Send" focused', 'button "Send", uid 1_3 of 1'],
  ['stagehand', { selector: '0-21' }, '  [0-21] button: Send', 'button "Send", selector 0-21 of 1'],
])('so it is in the words of %s', (_, args, reply, text) => {
  expect(named(args, reply)).toEqual([text]);
});

describe('what a page has written', () => {
  test('stands there cut, if it is long', () => {
    const [text = ''] = named({ ref: 'e1' }, `- button "${'x'.repeat(4_000)}" [ref=e1]`);
    expect(text).toMatch(/^button "x{60}…", ref e1/);
  });

  test('fills no memory: of endlessly many elements the first are known', () => {
    const many = Array.from({ length: 20_002 }, (__, at) => `- button "B" [ref=e${at + 1}]`).join('\n');
    expect(named({ ref: 'e20000' }, many)).toHaveLength(1);
    expect(named({ ref: 'e20001' }, many)).toEqual([]);
    expect(named({ ref: 'e1' }, many, '- link "L" [ref=e1]')).toEqual(['link "L", ref e1 of 2']);
  });

  test('is no element in a line of any length', () => {
    expect(named({ ref: 'e1' }, `- button "B" [ref=e1]: ${'x'.repeat(6_000)}`)).toEqual([]);
  });
});
