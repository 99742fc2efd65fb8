import { expect, test } from 'vitest';
import { observe } from '../../../src/agent/keyword/observation.ts';

const FORM = observe(`Page: http://a.test/
Tabs: 0 (current): http://a.test/

- textbox "Name" [ref=e5]
- combobox "Topic" [ref=e9]:
  - option "Sales" [selected]
  - option "Support"
- paragraph [ref=e11]: Nothing sent yet.
- button "Send" [ref=e12]`);

test('elements are listed in the order of the page, lists with their options', () => {
  expect(FORM.elements).toMatchObject([
    { role: 'textbox', name: 'Name' },
    { role: 'combobox', name: 'Topic', options: ['Sales', 'Support'] },
    { role: 'button', name: 'Send' },
  ]);
});

test('plain text is listed', () => {
  expect(FORM.texts.join('\n')).toContain('Nothing sent yet.');
});

test('a dialog is noticed where the reply is one', () => {
  expect(FORM.hasDialog).toBe(false);
  expect(observe('confirm dialog: Delete the note?').hasDialog).toBe(true);
});

test.each<[string, ReturnType<typeof observe>['tabs']]>([
  ['Tabs: 0: http://a.test/join, 1 (current): http://a.test/terms', { count: 2, isLastInFront: true }],
  ['Tabs: 0 (current): http://a.test/join, 1: http://a.test/terms', { count: 2, isLastInFront: false }],
  ['no tabs', null],
])('tabs are counted in %j', (reply, tabs) => {
  expect(observe(reply).tabs).toEqual(tabs);
});

test('what is disabled cannot be used', () => {
  expect(observe('- button "Send" [disabled] [ref=e5]').elements).toEqual([]);
});

test('a name keeps its quotation marks', () => {
  expect(observe(String.raw`- button "Say \"yes\"" [ref=e5]`).elements).toMatchObject([{ name: 'Say "yes"' }]);
});

test('quotes and lines that never end, however long, are read once', () => {
  const quotes = `"${String.raw`\"`.repeat(400_000)}`;
  expect(observe(quotes).texts).toEqual([]);
  expect(observe(`1: ${'a'.repeat(400_000)}`).tabs).toBeNull();
});
