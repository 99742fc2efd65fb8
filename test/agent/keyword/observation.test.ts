import { describe, expect, test } from 'vitest';
import { observe } from '../../../src/agent/keyword/observation.ts';

/** The same page, as each surface shows it. */
const SURFACES = {
  'aria and playwright': `Page: http://a.test/
Tabs: 0 (current): http://a.test/

- textbox "Name" [ref=e5]
- combobox "Topic" [ref=e9]:
  - option "Sales" [selected]
  - option "Support"
- paragraph [ref=e11]: Nothing sent yet.
- button "Send" [ref=e12]`,
  'playwright-mcp': `### Ran Playwright code
await page.getByRole('link', { name: 'contact' }).click();
### Open tabs
- 0: (current) [Contact](http://a.test/)
### Snapshot
- textbox "Name" [active] [ref=e5]
- combobox "Topic" [ref=e9]:
  - option "Sales" [selected]
  - option "Support"
- paragraph [ref=e11]: Nothing sent yet.
- button "Send" [ref=e12] [cursor=pointer]`,
  'chrome-devtools-mcp': `## Latest page snapshot
uid=1_0 RootWebArea "Contact" url="http://a.test/"
  uid=1_1 textbox "Name" required
  uid=1_2 combobox "Topic" expandable haspopup="menu" value="Sales"
    uid=1_3 option "Sales" selectable selected value="Sales"
    uid=1_4 option "Support" selectable value="Support"
  uid=1_5 "Nothing sent yet."
  uid=1_6 button "Send"`,
  puppeteer: `Tabs: 0 (current): http://a.test/

- RootWebArea "Contact" url="http://a.test/"
  - textbox "Name" required
  - combobox "Topic" value="Sales" haspopup="menu"
    - option "Sales" selected
    - option "Support"
  - StaticText "Nothing sent yet."
  - button "Send"`,
  stagehand: `Tabs: 0 (current): http://a.test/

[0-2] RootWebArea: Contact
  [0-11] textbox: Name
  [0-12] select: Topic
    [0-13] option: Sales [selected]
    [0-14] option: Support
  [0-15] StaticText: Nothing sent yet.
  [0-16] button: Send`,
};

describe.each(Object.entries(SURFACES))('what %s shows is read:', (name, reply) => {
  test('its elements, in their order, and the options of a list', () => {
    expect(observe(reply).elements).toMatchObject([
      { role: 'textbox', name: 'Name' },
      { role: name === 'stagehand' ? 'select' : 'combobox', name: 'Topic', options: ['Sales', 'Support'] },
      { role: 'button', name: 'Send' },
    ]);
  });

  test('its text', () => {
    expect(observe(reply).texts.join('\n')).toContain('Nothing sent yet.');
  });

  test('no dialog', () => {
    expect(observe(reply).hasDialog).toBe(false);
  });
});

test.each([
  'confirm dialog: Delete the note?',
  'a dialog is open: confirm dialog: Delete the note?',
  '### Modal state\n- ["confirm" dialog with message "Delete the note?"]: can be handled by browser_handle_dialog',
  '# Open dialog\nconfirm: Delete the note?',
])('a dialog is seen: %s', (reply) => {
  expect(observe(reply).hasDialog).toBe(true);
});

test.each<[string, ReturnType<typeof observe>['tabs']]>([
  ['Tabs: 0: http://a.test/join, 1 (current): http://a.test/terms', { count: 2, isLastInFront: true }],
  ['Tabs: 0 (current): http://a.test/join, 1: http://a.test/terms', { count: 2, isLastInFront: false }],
  ['- 0: (current) [Join](http://a.test/join)\n- 1: [Terms](http://a.test/terms)', { count: 2, isLastInFront: false }],
  [
    '## Pages\n1: Join (http://a.test/join)\n2: Terms (http://a.test/terms) [selected]',
    { count: 2, isLastInFront: true },
  ],
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
