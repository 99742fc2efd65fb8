import type { Contract } from '../../contract/schema.ts';
import type { SeenPage } from './seen-page.ts';

/** The page's own reward: in full, in a true event, by the page's own code. */
const WITNESS: Contract[] = [
  { kind: 'app_state', pointer: '/reward/paid', equals: true },
  { kind: 'app_state', pointer: '/reward/event/trusted', equals: true },
  { kind: 'app_state', pointer: '/reward/by_page', equals: true },
];

/** No report of a reward was refused: none was forged, and none came after the first. */
export const GUARDS: Contract = { kind: 'app_state', pointer: '/refused', equals: [] };

/** The contract of a page with one seed, and whether it also judges the document. */
export function contractFor(id: string, seen: SeenPage): { success: Contract; readsDocument: boolean } {
  const shown = DOCUMENTS.get(id)?.(seen) ?? [];
  return { success: { kind: 'and', children: [...shown, ...WITNESS] }, readsDocument: shown.length > 0 };
}

/** By page, the clauses over the document at the end; null if this seed needs something that they cannot say. */
const DOCUMENTS = new Map<string, (seen: SeenPage) => Contract[] | null>([
  ['choose-list', chosen(/^Select (.+) from the list and click Submit\.$/)],
  ['click-checkboxes', chosen(/^Select (.+) and click Submit\.$/)],
  ['click-checkboxes-large', chosen(/^Select (.+) and click Submit\.$/)],
  ['click-checkboxes-transfer', chosen(/^Select (.+) and click Submit\.$/)],
  ['click-option', chosen(/^Select (.+) and click Submit\.$/)],
  ['click-scroll-list', chosen(/^Select (.+) from the scroll list and click Submit\.$/)],
  [
    'enter-date',
    typed('#tt', /^Enter (\d\d)\/(\d\d)\/(\d{4}) as the date/, (month, day, year) => `${year}-${month}-${day}`),
  ],
  ['enter-text', typed('#tt', /^Enter "(.+)" into the text field and press Submit\.$/)],
  ['enter-text-2', typed('#tt', /^Type "(.+)" in all (upper|lower) case letters /, inCase)],
  ['form-sequence-2', checkedRadio],
  ['generate-number', generatedNumber],
  ['login-user', typed('#username', /^Enter the username "(.+)" and the password /)],
  ['odd-or-even', marked],
  ['use-spinner', typed('#spinner', /^Select (-?\d+) with the spinner and hit Submit\.$/)],
]);

function count(selector: string, value: number): Contract {
  return { kind: 'dom_count', selector, op: 'eq', value };
}

/** A field has the text that the goal names. @param value made of what the goal's pattern captures */
function typed(
  selector: string,
  goal: RegExp,
  value = (...[text = '']: string[]): string => text,
): (seen: SeenPage) => Contract[] | null {
  return ({ utterance }) => {
    const [, ...captured] = goal.exec(utterance) ?? [];
    return captured.length === 0 ? null : [{ kind: 'field_value', selector, equals: value(...captured) }];
  };
}

function inCase(text = '', wanted = ''): string {
  return wanted === 'upper' ? text.toUpperCase() : text.toLowerCase();
}

/** Exactly the choices that the goal names are made. */
function chosen(goal: RegExp): (seen: SeenPage) => Contract[] | null {
  return ({ utterance, choices }) => {
    const named = goal.exec(utterance)?.[1];
    if (named === undefined) return null;
    const labels = named === 'nothing' ? [] : named.split(', ');
    const wanted = labels.map((label) => choices.filter((choice) => choice.label === label));
    if (wanted.some(({ length }) => length !== 1)) return null;
    const selectors = wanted.flat().map(({ selector }) => `${selector}:checked`);
    const all = count('#area :checked', selectors.length);
    return selectors.length === 0 ? [all] : [count(selectors.join(', '), selectors.length), all];
  };
}

/** The page takes any radio button for the right one. */
function checkedRadio({ utterance }: SeenPage): Contract[] | null {
  const place = /^Check the ([123])\w\w radio button /.exec(utterance)?.[1];
  if (place === undefined) return null;
  return [count(`#area input[type="radio"][value="${place}"]:checked`, 1)];
}

const GENERATED = 10;

/** The page takes no number for an even one. */
function generatedNumber({ utterance }: SeenPage): Contract[] | null {
  const [, parity, order, limit] =
    /^Generate an? (?:(odd|even) number|number (less|greater) than (\d+)), then press submit\.$/.exec(utterance) ?? [];
  if (parity === undefined && order === undefined) return null;
  const fits = (number: number): boolean =>
    parity === undefined
      ? order === 'less'
        ? number < Number(limit)
        : number > Number(limit)
      : number % 2 === (parity === 'odd' ? 1 : 0);
  const right = Array.from({ length: GENERATED + 1 }, (_, number) => number).filter(fits);
  return [{ kind: 'dom_text', selector: '#display-number', matches: `^(${right.join('|')})$` }];
}

function marked({ numbers }: SeenPage): Contract[] | null {
  if (numbers.length === 0) return null;
  const rows = numbers.map((number, at) => `.row:nth-child(${at + 1}) ${number % 2 === 0 ? '.even' : '.odd'}.selected`);
  return [count(rows.join(', '), numbers.length), count('.row .selected', numbers.length)];
}
