import { expect, test, describe } from 'vitest';
import { observe } from '../../src/agent/keyword/observation.ts';
import { answerFrom, intentKey, nextIntent, addressIn, valueFor } from '../../src/agent/keyword/rules.ts';

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

test('a dialog in a reply is noticed', () => {
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

test('disabled elements cannot be used', () => {
  expect(observe('- button "Send" [disabled] [ref=e5]').elements).toEqual([]);
});

test('a name keeps its quotation marks', () => {
  expect(observe(String.raw`- button "Say \"yes\"" [ref=e5]`).elements).toMatchObject([{ name: 'Say "yes"' }]);
});

test('endless quotes and lines are read in linear time', () => {
  const quotes = `"${String.raw`\"`.repeat(400_000)}`;
  expect(observe(quotes).texts).toEqual([]);
  expect(observe(`1: ${'a'.repeat(400_000)}`).tabs).toBeNull();
});

const page = (...lines: string[]) => observe(lines.map((line) => `- ${line}`).join('\n'));
const next = (goal: string, lines: string[], tried: string[] = []) => nextIntent(goal, page(...lines), new Set(tried));
const click = (name: string, role = 'button') => ({ do: 'click', role, name }) as const;

describe('the next action', () => {
  test('is to click the element whose name the goal contains most', () => {
    const buttons = ['button "Rent a bicycle"', 'button "Rent a tandem"'];
    expect(next('Rent a tandem for Sunday.', buttons)).toEqual(click('Rent a tandem'));
  });

  test('ignores the endings of words', () => {
    expect(next('Close the accounts.', ['link "Account closing"'])).toEqual(click('Account closing', 'link'));
  });

  test('is not a repetition, nor a guess once something was clicked', () => {
    const buttons = ['button "Rent a bicycle"', 'button "Rent a tandem"'];
    const tried = [intentKey(click('Rent a tandem'))];
    expect(next('Rent a tandem for Sunday.', buttons, tried)).toBeNull();
  });

  test('is a guess if there is nothing better', () => {
    expect(next('Rent a tandem.', ['link "All tandems"'])).toEqual(click('All tandems', 'link'));
    expect(next('Rent a tandem.', ['link "Imprint"'])).toBeNull();
  });

  test('is to fill in the fields, then to choose, then to submit', () => {
    const form = ['textbox "Password"', 'combobox "Role":', '  - option "Guest"', '  - option "Editor"', 'button "OK"'];
    const goal = 'Go in as an editor with the password "swordfish".';
    const filled = { do: 'fill', label: 'Password', text: 'swordfish' } as const;
    const chosen = { do: 'choose', label: 'Role', option: 'Editor' } as const;
    expect(next(goal, form)).toEqual(filled);
    expect(next(goal, form, [intentKey(filled)])).toEqual(chosen);
    expect(next(goal, form, [intentKey(filled), intentKey(chosen)])).toEqual(click('OK'));
  });
});

test.each([
  ['Email', 'Write to grace@navy.example today.', 'grace@navy.example'],
  ['Phone number', 'Her phone number is 555-0199.', '555-0199'],
  ['Full name', 'Register as Grace Hopper, please.', 'Grace Hopper'],
  ['First name', 'Register as Grace Hopper, please.', 'Grace'],
  ['Last name', 'Register as Grace Hopper, please.', 'Hopper'],
  ['Title', 'Set the title to "Admiral".', 'Admiral'],
  ['Seats', 'It has seats for 8.', '8'],
  ['Colour', 'Set the title to "Admiral".', null],
])('the value for the field %s', (label, goal, value) => {
  expect(valueFor(label, goal)).toBe(value);
});

test('an address ends with its sentence', () => {
  expect(addressIn('Open http://a.test/x.')).toBe('http://a.test/x');
  expect(addressIn('Open the page.')).toBeNull();
});

describe('the answer', () => {
  test('is the number in the text that is nearest to the goal', () => {
    const seen = page('paragraph: There are 3 parks.', 'paragraph: The tower is 330 metres high.');
    expect(answerFrom('How high is the tower?', seen)).toEqual({ value: 330 });
  });

  test('is an id unchanged', () => {
    const seen = page('paragraph: Your ticket is T-9.');
    expect(answerFrom('Answer with the ticket.', seen)).toEqual({ value: 'T-9' });
  });

  test('is null if the goal does not ask', () => {
    expect(answerFrom('Open the tower.', page('paragraph: The tower is 330 metres high.'))).toBeNull();
  });
});
