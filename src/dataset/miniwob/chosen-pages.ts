import type { Contract } from '../../contract/schema.ts';
import { byGoal, type Clauses, classed, counts, rowsFor, type PageRow, shows } from './clauses.ts';
import type { SeenElement, SeenPage } from './seen-page.ts';

/** Pages that end with boxes, options, cards or items chosen. */
export const CHOSEN_PAGES: readonly PageRow[] = [
  ['choose-list', chosen(/^Select (.+) from the list and click Submit\.$/)],
  ...rowsFor(
    ['click-checkboxes', 'click-checkboxes-large', 'click-checkboxes-transfer', 'click-option'],
    chosen(/^Select (.+) and click Submit\.$/),
  ),
  ['click-checkboxes-soft', chosen(/^Select words similar to (.+) and click Submit\.$/, isSynonym)],
  ['click-scroll-list', chosen(/^Select (.+) from the scroll list and click Submit\.$/)],
  // The page takes any radio button for the right one.
  [
    'form-sequence-2',
    byGoal(/^Check the ([123])\w\w radio button /, ([place]) => [
      counts(`#area input[type="radio"][value="${place}"]:checked`, 1),
    ]),
  ],
  [
    'form-sequence',
    byGoal(/^Select (-?\d+) with the slider, click the (\d)\w\w checkbox/, ([number, place]) => [
      shows('#val', number),
      counts(`#checkbox-${place}:checked`, 1),
      counts('#area :checked', 1),
    ]),
  ],
  [
    'number-checkboxes',
    byGoal(/^Draw the number "(\d)" /, ([digit], seen) => drawn(seen.lists.PATTERNS?.[Number(digit)])),
  ],
  ['odd-or-even', marked],
  [
    'click-shades',
    byGoal(/^Select all the shades of (\w+) and press Submit\.$/, ([colour]) => [
      counts(`#area [data-color="${colour}"]:not(.selected)`, 0),
      counts(`#area .selected:not([data-color="${colour}"])`, 0),
    ]),
  ],
  ['find-greatest', greatest],
  ['order-food', (seen) => orderedByName(seen) ?? orderedByType(seen)],
  [
    'social-media-all',
    byGoal(/^Click the "(\w+)" button on all posts by (.+) and then click Submit\.$/, ([action, user], seen) => {
      const posts = postsBy(seen, user);
      return pressed(posts, action, posts.length);
    }),
  ],
  [
    'social-media-some',
    byGoal(
      /^Click the "(\w+)" button on (\d+) posts? by (.+) and then click Submit\.$/,
      ([action, number, user], seen) => pressed(postsBy(seen, user), action, Number(number)),
    ),
  ],
];

/** Exactly the choices that the goal names are made. */
function chosen(
  goal: RegExp,
  isMeant = (label: string, named: string, _seen: SeenPage): boolean => label === named,
): Clauses {
  return byGoal(goal, ([named], seen) => {
    const names = named === 'nothing' ? [] : named.split(', ');
    const choices = seen.elements.filter(isChoice);
    const wanted = names.map((name) => choices.filter((choice) => isMeant(choice.label || choice.text, name, seen)));
    if (wanted.some(({ length }) => length !== 1)) return null;
    const selectors = wanted.flat().map(({ selector }) => `${selector}:checked`);
    const all = counts('#area :checked', selectors.length);
    return selectors.length === 0 ? [all] : [counts(selectors.join(', '), selectors.length), all];
  });
}

function isChoice({ name, attributes, selector }: SeenElement): boolean {
  if (name === 'option') return selector.startsWith('#options > ');
  return name === 'input' && (attributes['type'] === 'checkbox' || attributes['type'] === 'radio');
}

function isSynonym(label: string, named: string, { lists }: SeenPage): boolean {
  return (lists.SYNONYMS ?? []).some((group) => group.includes(label) && group.includes(named));
}

/** The boxes are checked as in the pattern of rows. */
function drawn(pattern: readonly (readonly number[])[] | undefined): Contract[] | null {
  if (pattern === undefined) return null;
  const rows = pattern.map((row) => row.flatMap((isChecked, at) => (isChecked ? [`:nth-child(${at + 1})`] : [])));
  const checked = rows.map((places, at) =>
    counts(`#checkboxes > :nth-child(${at + 1}) > :is(${places.join(', ')}):checked`, places.length),
  );
  return [...checked, counts('#checkboxes :checked', rows.flat().length)];
}

function marked(seen: SeenPage): Contract[] | null {
  const numbers = classed(seen, 'display-number').map(({ text }) => Number(text));
  if (numbers.length === 0) return null;
  const rows = numbers.map((number, at) => `.row:nth-child(${at + 1}) ${number % 2 === 0 ? '.even' : '.odd'}.selected`);
  return [counts(rows.join(', '), numbers.length), counts('.row .selected', numbers.length)];
}

function greatest(seen: SeenPage): Contract[] | null {
  const numbers = classed(seen, 'card-value').map(({ text }) => Number(text));
  if (numbers.length === 0) return null;
  const place = numbers.indexOf(Math.max(...numbers));
  return [counts(`.card[data-index="${place}"]:not(.hidden)`, 1), counts('.card:not(.hidden)', 1)];
}

function orderedByName({ utterance }: SeenPage): Contract[] | null {
  const names = /^Order one of each item: (.+)$/.exec(utterance)?.[1]?.split(', ');
  if (names === undefined) return null;
  const items = names.map((name) => counts(`.food-item[data-item$="${name}"][data-quantity="1"]`, 1));
  return [...items, counts('.food-item.selected', names.length)];
}

function orderedByType({ utterance }: SeenPage): Contract[] | null {
  const [, number, type] = /^Order (\d) items that are (.+)$/.exec(utterance) ?? [];
  if (number === undefined) return null;
  const orders = sumsTo(Number(number)).map((quantities): Contract => {
    const children = Array.from({ length: Number(number) }, (_, at) =>
      counts(`.food-item.selected[data-quantity="${at + 1}"]`, quantities.filter((each) => each === at + 1).length),
    );
    return { kind: 'and', children: [...children, counts('.food-item.selected', quantities.length)] };
  });
  return [counts(`.food-item.selected:not(:has([alt="${type}"]))`, 0), { kind: 'or', children: orders }];
}

/** The ways to make a sum of whole numbers, none greater than `most`. */
function sumsTo(sum: number, most = sum): number[][] {
  if (sum === 0) return [[]];
  const firsts = Array.from({ length: Math.min(sum, most) }, (_, at) => at + 1);
  return firsts.flatMap((first) => sumsTo(sum - first, first).map((rest) => [first, ...rest]));
}

/** The posts of a user, each a child of the area. */
export function postsBy(seen: SeenPage, user: string): string[] {
  return classed(seen, 'username').flatMap(({ text, selector }) =>
    text === user ? (/^#area > :nth-child\(\d+\)/.exec(selector) ?? []) : [],
  );
}

function pressed(posts: readonly string[], action: string, number: number): Contract[] | null {
  if (posts.length === 0) return null;
  return [counts(`:is(${posts.join(', ')}) .${action.toLowerCase()}.active`, number), counts('#area .active', number)];
}
