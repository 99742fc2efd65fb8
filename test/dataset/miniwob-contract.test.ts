import { expect, test } from 'vitest';
import { evaluate } from '../../src/contract/evaluate.ts';
import { present } from '../../src/contract/evidence.ts';
import { contractFor } from '../../src/dataset/miniwob/contract.ts';
import type { SeenPage } from '../../src/dataset/miniwob/seen-page.ts';
import { leavesIn } from '../../src/contract/schema.ts';
import { element, evidence, page, type SampleNode } from '../contract/evidence-sample.ts';

type SeenElement = SeenPage['elements'][number];

function seenPage(utterance: string, parts: Partial<SeenElement>[] = [], lists: SeenPage['lists'] = {}): SeenPage {
  const blank = { selector: '#area > :nth-child(1)', name: 'div', text: '', label: '', value: '', attributes: {} };
  return { utterance, fields: {}, elements: parts.map((part) => ({ ...blank, ...part })), lists, coveredBy: null };
}

function valuesIn(id: string, seen: SeenPage): string[] {
  const { success, readsDocument } = contractFor(id, seen);
  const leaves = leavesIn(success).flatMap((leaf) => {
    if (leaf.kind !== 'field_value' && leaf.kind !== 'dom_text') return [];
    return [`${leaf.selector} = ${leaf.equals ?? leaf.contains ?? leaf.matches}`];
  });
  expect(readsDocument).toBe(leaves.length > 0);
  return leaves;
}

test.each([
  ['enter-text', 'Enter "Ada" into the text field and press Submit.', ['#tt = Ada']],
  ['enter-text-2', 'Type "Ada" in all upper case letters in the text input and press Submit.', ['#tt = ADA']],
  ['enter-text-2', 'Type "Ada" in all lower case letters in the text input and press Submit.', ['#tt = ada']],
  ['enter-date', 'Enter 03/09/2016 as the date and hit submit.', ['#tt = 2016-03-09']],
  ['enter-time', 'Enter 12:05 AM as the time and press submit.', ['#tt = 00:05']],
  ['enter-time', 'Enter 12:05 PM as the time and press submit.', ['#tt = 12:05']],
  ['enter-time', 'Enter 3:40 PM as the time and press submit.', ['#tt = 15:40']],
  ['choose-date', 'Select 03/09/2016 as the date and hit submit.', ['#datepicker = 03/09/2016']],
  ['use-spinner', 'Select -7 with the spinner and hit Submit.', ['#spinner = -7']],
  [
    'use-slider-2',
    'Set the sliders to the combination [3,0,20] and submit.',
    ['#val-1 = 3', '#val-2 = 0', '#val-3 = 20'],
  ],
  [
    'login-user',
    'Enter the username "ada" and the password "x1" into the text fields and press login.',
    ['#username = ada'],
  ],
  ['enter-text', 'Enter something into the text field.', []],
  ['enter-text-2', 'Type "Ada" in mixed case letters in the text input and press Submit.', []],
])('%s: a value is judged by what the goal asks for: %s', (id, utterance, expected) => {
  expect(valuesIn(id, seenPage(utterance))).toEqual(expected);
});

test.each([
  ['3 x 4 =', 'simple-arithmetic', '12'],
  ['3 - 4 =', 'simple-arithmetic', '-1'],
  ['x + 9 = 5', 'simple-algebra', '-4'],
  ['x - 9 = 5', 'simple-algebra', '14'],
  ['9 - x = 5', 'simple-algebra', '4'],
])('%s: the answer is worked out at import', (text, id, answer) => {
  const seen = seenPage('Solve it.', [{ selector: '#math-problem', text }]);
  expect(valuesIn(id, seen)).toEqual([`#math-answer = ${answer}`]);
});

test('an item to complete is one of the list, and all that fit will do', () => {
  const seen = seenPage('Enter an item that starts with "Al" and ends with "ia".', [], {
    ITEMS: ['Albania', 'Algeria', 'Alma', 'Malia'],
  });
  expect(valuesIn('use-autocomplete', seen)).toEqual(['#tags = Albania', '#tags = Algeria']);
});

const NAMES = ['Ada', 'Bea', 'Cyd', 'Dot', 'Eve', 'Fay', 'Gus', 'Hal', 'Ida'];

test.each([
  ['drag-items', 'Drag Bea to the top.', 1],
  ['drag-items', 'Drag Bea down by one position.', 3],
  ['drag-items', 'Drag Bea to the 4th position.', 4],
  ['drag-items-grid', 'Drag Bea down by one.', 5],
  ['drag-items-grid', 'Drag Bea to the center.', 5],
  ['drag-items-grid', 'Drag Bea to the bottom right.', 9],
])('%s: %s', (id, utterance, place) => {
  const parts = NAMES.map((text, at) => ({ selector: `#sortable > :nth-child(${at + 1}) > :nth-child(1)`, text }));
  expect(valuesIn(id, seenPage(utterance, parts))).toEqual([`#sortable > :nth-child(${place}) = Bea`]);
});

/** The verdict on an end for which the page has paid. */
function verdictOn(id: string, seen: SeenPage, body: SampleNode[]): string {
  const state = { reward: { paid: true, event: { trusted: true }, by_page: true } };
  const { success } = contractFor(id, seen);
  const end = evidence({ pages: [page({ body })], app_state: present({ start: state, now: state }) });
  return evaluate(success, end).verdict;
}

function tagged(tag: string, attributes: Record<string, string>, ...children: SampleNode[]): SampleNode {
  return { ...element(tag, ...children), attributes };
}

test.each([
  ['.sh', 'user$ rm trace.sh', 'pass'],
  ['.sh', 'user$ rm bash', 'fail'],
  ['none', 'user$ rm bash', 'pass'],
  ['none', 'user$ rm trace.sh', 'fail'],
])('terminal, %s: "%s" is a %s', (extension, line, verdict) => {
  const goal =
    extension === 'none' ? 'delete a file that has no file extension.' : `a file with the extension ${extension}`;
  const contents = tagged('div', { id: 'terminal-contents' }, element('div', line), element('div', 'user$'));
  expect(verdictOn('terminal', seenPage(`Use the terminal: ${goal}`), [contents])).toBe(verdict);
});

test.each([
  ['left', '-3,0', 'right', '3,0'],
  ['right', '0.5,-4', 'left', '0,4'],
  ['up', '7,-1', 'down', '7,0'],
  ['down', '-7,2.5', 'up', '-7,-2'],
])('a circle to be dragged %s passes at %s, and not at that to the %s', (way, right, _other, wrong) => {
  const seen = seenPage(`Drag the circle ${way} then press Submit.`);
  const at = (shift: string): SampleNode[] => [
    tagged('div', { id: 'area' }, tagged('svg', {}, tagged('circle', { transform: `translate(${shift})` }))),
  ];
  expect(verdictOn('drag-circle', seen, at(right))).toBe('pass');
  expect(verdictOn('drag-circle', seen, at(wrong))).toBe('fail');
});

test.each([
  [['1', '1', '1'], 'pass'],
  [['2', '1'], 'pass'],
  [['2', '2'], 'fail'],
  [['1', '1'], 'fail'],
])('an order of three items as %j is a %s', (quantities, verdict) => {
  const items = quantities.map((quantity) =>
    tagged('div', { class: 'food-item selected', 'data-quantity': quantity }, tagged('img', { alt: 'vegan' })),
  );
  expect(verdictOn('order-food', seenPage('Order 3 items that are vegan'), items)).toBe(verdict);
  const others = [...items, tagged('div', { class: 'food-item selected', 'data-quantity': '1' })];
  expect(verdictOn('order-food', seenPage('Order 3 items that are vegan'), others)).toBe('fail');
});
