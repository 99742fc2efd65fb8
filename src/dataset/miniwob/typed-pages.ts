import type { Contract } from '../../contract/schema.ts';
import {
  anyOf,
  byGoal,
  type Clauses,
  classed,
  rowsFor,
  field,
  literal,
  type PageRow,
  shows,
  partsOf,
} from './clauses.ts';
import type { SeenPage } from './seen-page.ts';

/** Pages that end with a text in a field, or with a number that a slider shows. */
export const TYPED_PAGES: readonly PageRow[] = [
  ...rowsFor(
    ['enter-text', 'enter-text-dynamic'],
    typed('#tt', /^Enter "(.+)" into the text field and press Submit\.$/),
  ),
  ['enter-text-2', typed('#tt', /^Type "(.+)" in all (upper|lower) case letters /, inCase)],
  [
    'enter-date',
    typed('#tt', /^Enter (\d\d)\/(\d\d)\/(\d{4}) as the date/, ([month, day, year]) => `${year}-${month}-${day}`),
  ],
  ['enter-time', typed('#tt', /^Enter (\d+):(\d\d) ([AP])M as the time/, timeOfDay)],
  ...rowsFor(
    ['choose-date', 'choose-date-easy', 'choose-date-medium', 'choose-date-nodelay'],
    typed('#datepicker', /^Select (\S+) as the date/),
  ),
  ...rowsFor(['login-user', 'login-user-popup'], typed('#username', /^Enter the username "(.+)" and the password /)),
  ['use-spinner', typed('#spinner', /^Select (-?\d+) with the spinner and hit Submit\.$/)],
  ['use-slider', byGoal(/^Select (-?\d+) with the slider/, ([number]) => [shows('#val', number)])],
  [
    'use-slider-2',
    byGoal(/combination \[(\d+),(\d+),(\d+)\]/, (numbers) =>
      numbers.slice(0, 3).map((number, at) => shows(`#val-${at + 1}`, number)),
    ),
  ],
  ...rowsFor(['use-autocomplete', 'use-autocomplete-nodelay'], autocompleted()),
  ...rowsFor(['multi-layouts', 'multi-orderings'], movieSearched()),
  ['read-table', byGoal(/^Enter the value of (.+) into the text field/, ([key], seen) => answered(seen, '#tt', key))],
  ['read-table-2', (seen) => both(seen, ['#tt1', '#tt2'])],
  [
    'find-word',
    byGoal(/^Find the (\d+)\w\w word in/, ([place], seen) => {
      const paragraph = seen.elements.find(({ name }) => name === 'p');
      return spelt(paragraph?.text.split(' ')[Number(place) - 1]);
    }),
  ],
  [
    'scroll-text',
    ({ elements }) =>
      spelt(
        elements
          .find(({ selector }) => selector === '#text-area')
          ?.text.split(' ')
          .at(-1),
      ),
  ],
  ['simple-arithmetic', (seen) => solved(seen, /^(\d+) ([-+x]) (\d+) =$/, calculated)],
  ['simple-algebra', (seen) => solved(seen, /^(x|\d+) ([-+]) (x|\d+) = (\d+)$/, unknownOf)],
  ['visual-addition', (seen) => [field('#math-answer', String(classed(seen, 'addition-block').length))]],
  [
    'text-transform',
    (seen) => [
      field(
        '#tt',
        partsOf(seen, '#captcha')
          .map(({ text }) => text)
          .join(''),
      ),
    ],
  ],
  ['copy-paste', (seen) => copied(seen, '#to-copy')],
  ['copy-paste-2', byGoal(/ from the (\d)\w\w text area /, ([place], seen) => copied(seen, `#text-${place}`))],
];

/** A field has the text that the goal names. @param value made of what the goal's pattern captures */
function typed(selector: string, goal: RegExp, value = ([text]: readonly string[]): string => text ?? ''): Clauses {
  return byGoal(goal, (captured) => [field(selector, value(captured))]);
}

function inCase([text = '', wanted]: readonly string[]): string {
  return wanted === 'upper' ? text.toUpperCase() : text.toLowerCase();
}

function timeOfDay([hour, minute, half]: readonly string[]): string {
  const hours = (Number(hour) % 12) + (half === 'P' ? 12 : 0);
  return `${String(hours).padStart(2, '0')}:${minute}`;
}

/** The page takes any text that begins and ends as asked, in its list or not. */
function autocompleted(): Clauses {
  return byGoal(/^Enter an item that starts with "(.+?)"(?: and ends with "(.+)")?\.$/, ([start, end], { lists }) => {
    const items = (lists.ITEMS ?? []).filter((item) => item.startsWith(start) && item.endsWith(end));
    return anyOf(items.map((item) => field('#tags', item)));
  });
}

function movieSearched(): Clauses {
  return byGoal(/^Search for (.+) movies directed by (.+) from year (\d{4})\.$/, ([genre, director, year], seen) => {
    const wanted: [RegExp, string][] = [
      [/genre/i, `(?i)^\\s*${literal(genre)}\\s*$`],
      [/director/i, `(?i)^\\s*${literal(director)}\\s*$`],
      [/year|date/i, `^${year}$`],
    ];
    const fields = wanted.flatMap(([label, matches]): Contract[] =>
      seen.elements
        .filter((element) => element.name === 'input' && label.test(element.label))
        .map(({ selector }) => ({ kind: 'field_value', selector, matches })),
    );
    return fields.length === wanted.length ? fields : null;
  });
}

/** A field has the value that the table of the page has for this key. */
function answered({ elements }: SeenPage, selector: string, key: string): Contract[] | null {
  const cells = elements.filter(({ name }) => name === 'td').map(({ text }) => text);
  const at = cells.findIndex((text, place) => place % 2 === 0 && text === key);
  const value = cells[at + 1];
  return at < 0 || value === undefined ? null : [field(selector, value)];
}

function both(seen: SeenPage, selectors: readonly string[]): Contract[] | null {
  const fields = selectors.map((selector) => {
    const label = seen.elements.find((element) => element.selector === selector)?.label ?? '';
    return answered(seen, selector, label.replace(/:$/, ''));
  });
  return fields.every((each) => each !== null) ? fields.flat() : null;
}

const BETWEEN = '[^a-zA-Z0-9]*';

/** The page ignores all but letters and digits. */
function spelt(word: string | undefined): Contract[] | null {
  const letters = word?.replaceAll(/[^a-zA-Z]/g, '') ?? '';
  if (letters === '') return null;
  const matches = `^${BETWEEN}${[...letters.split(''), '$'].join(BETWEEN)}`;
  return [{ kind: 'field_value', selector: '#answer-input', matches }];
}

function solved(
  { elements }: SeenPage,
  problem: RegExp,
  answer: (parts: readonly string[]) => number,
): Contract[] | null {
  const shownProblem = elements.find(({ selector }) => selector === '#math-problem')?.text ?? '';
  const found = problem.exec(shownProblem);
  return found === null ? null : [field('#math-answer', String(answer(found.slice(1))))];
}

function calculated([first, operator, second]: readonly string[]): number {
  const [a, b] = [Number(first), Number(second)];
  return operator === 'x' ? a * b : operator === '+' ? a + b : a - b;
}

function unknownOf([first, operator, second, result]: readonly string[]): number {
  const sum = Number(result);
  if (first === 'x') return operator === '+' ? sum - Number(second) : sum + Number(second);
  return operator === '+' ? sum - Number(first) : Number(first) - sum;
}

function copied({ elements }: SeenPage, from: string): Contract[] | null {
  const text = elements.find(({ selector }) => selector === from)?.value;
  return text === undefined ? null : [field('#answer-input', text)];
}
