import {
  byGoal,
  type Clauses,
  classed,
  clicked,
  counts,
  rowsFor,
  field,
  type PageRow,
  selectorsOf,
  shows,
} from './clauses.ts';
import { postsBy } from './chosen-pages.ts';
import type { SeenElement, SeenPage } from './seen-page.ts';

const CLOSED = counts('.ui-dialog[style*="display: none"]', 1);

/** Pages that end with a click on something. */
export const CLICKED_PAGES: readonly PageRow[] = [
  ['click-test', () => clicked(['#subbtn'])],
  ...rowsFor(['click-test-2', 'click-test-transfer'], named(/^Click button (\w+)\.$/, isButton)),
  ...rowsFor(['click-button', 'unicode-test'], named(/^Click on the "(.+)" button\.$/, isButton)),
  ['click-button-sequence', () => [counts('#subbtn[data-tampered]', 1), ...(clicked(['#subbtn2']) ?? [])]],
  ...rowsFor(
    'click-link click-collapsible-2 click-collapsible-2-nodelay click-tab-2 click-tab-2-easy click-tab-2-hard'.split(
      ' ',
    ),
    named(/ the link "(.+)"\.$/, isLink),
  ),
  // The page takes the second tab if it has removed the link from there.
  ['click-tab-2-medium', (seen) => named(/ the link "(.+)"\.$/, isLink)(seen) ?? [openTab('2')]],
  ['click-tab', byGoal(/^Click on Tab #(\d)\.$/, ([place]) => [openTab(place)])],
  ['click-color', byGoal(/^Click on the (\w+) colored box\.$/, ([colour]) => clicked([`[data-color="${colour}"]`]))],
  ['click-dialog', () => [CLOSED]],
  [
    'click-dialog-2',
    byGoal(/labeled "(Cancel|OK|x)"\.$/, ([label]) =>
      label === 'x' ? [CLOSED] : clicked([`.ui-dialog-buttonset > :nth-child(${label === 'OK' ? 2 : 1})`]),
    ),
  ],
  ['click-menu-2', menuItem],
  [
    'click-widget',
    byGoal(/^Click on a "(\w+)" widget\.$/, ([type]) => clicked([`.widget:has([data-type="${type}"])`])),
  ],
  ['grid-coordinate', byGoal(/^Click on the grid coordinate (\S+)\.$/, ([place]) => clicked([`[id="${place}"]`]))],
  ['identify-shape', identified],
  [
    'buy-ticket',
    byGoal(/^Buy the ticket with the (cheapest|most expensive|shortest|longest) /, ([wanted], seen) => {
      const prices = classed(seen, 'buy-ticket').map(({ attributes }) => Number(attributes['data-price']));
      const times = classed(seen, 'time-duration').map(({ attributes }) => Number(attributes['data-duration']));
      const numbers = /cheapest|expensive/.test(wanted) ? prices : times;
      const best = /cheapest|shortest/.test(wanted) ? Math.min(...numbers) : Math.max(...numbers);
      return clicked(selectorsOf(classed(seen, 'buy-ticket').filter((_, at) => numbers[at] === best)));
    }),
  ],
  ...rowsFor(
    ['book-flight', 'book-flight-nodelay'],
    byGoal(/^Book the \w+ one-way flight from: (.+) to: (.+) on (\S+)\.$/, ([from, to, day]) => [
      { kind: 'field_value', selector: '#flight-from', contains: from },
      { kind: 'field_value', selector: '#flight-to', contains: to },
      field('#datepicker', day),
      ...(clicked(['.flight-price']) ?? []),
    ]),
  ),
  [
    'phone-book',
    byGoal(/^Find (.+) in the contact book and click on their (phone|email|address)/, ([name, property]) => [
      shows('#contact .name', name),
      ...(clicked([`#contact .${property}`]) ?? []),
    ]),
  ],
  [
    'search-engine',
    byGoal(/ click the (\d+)\w\w search result\.$/, ([place]) => clicked([`[data-result="${Number(place) - 1}"]`])),
  ],
  [
    'form-sequence-3',
    byGoal(/^Choose (.+) from the dropdown, then click the button labeled "(\w+)"\.$/, ([option, button]) => [
      field('#dropdown', option),
      ...(clicked([`#${button.toLowerCase()}`]) ?? []),
    ]),
  ],
  [
    'sign-agreement',
    (seen) => signed(seen) ?? (seen.utterance === 'Click the cancel button.' ? clicked(['#cancel']) : null),
  ],
  [
    'social-media',
    byGoal(/^For the user (.+), click on the "(.+)" button\.$/, ([user, action], seen) => {
      const posts = postsBy(seen, user);
      const item = ITEMS_OF_POSTS[action] ?? action.toLowerCase();
      return posts.length === 0 ? null : clicked([`:is(${posts.join(', ')}) .${item}`]);
    }),
  ],
];

/** Those in the menu of a post; its buttons are named as their classes are. */
const ITEMS_OF_POSTS: Readonly<Record<string, string>> = {
  'Share via DM': 'share',
  'Copy link to Tweet': 'copy',
  'Embed Tweet': 'embed',
  Mute: 'menu-user',
  Block: 'block-user',
};

function isButton({ name }: SeenElement): boolean {
  return name === 'button';
}

function isLink({ attributes }: SeenElement): boolean {
  return attributes['class'] === 'alink';
}

/** An element with the text that the goal names. */
function named(goal: RegExp, isOne: (element: SeenElement) => boolean): Clauses {
  return byGoal(goal, ([text], { elements }) =>
    clicked(selectorsOf(elements.filter((element) => isOne(element) && element.text === text))),
  );
}

function openTab(place: string) {
  return counts(`#area > ul > :nth-child(${place}).ui-tabs-active`, 1);
}

/** The goal names an item of the menu, or shows its icon. */
function menuItem(seen: SeenPage) {
  const label = / the item labeled "(.+)"\.$/.exec(seen.utterance)?.[1];
  const icon = seen.elements.find(({ selector }) => selector.startsWith('#query > '))?.attributes['class'];
  const items = seen.elements.filter(({ name, text }) => name === 'div' && text === label);
  if (label !== undefined) return clicked(items.map(({ selector }) => `li:has(> :is(${selector}))`));
  return icon === undefined ? null : clicked([`#menu li:has(> div > .${icon.replaceAll(' ', '.')})`]);
}

const NAMES_OF_SHAPES: Readonly<Record<string, string>> = { rect: 'rectangle', circle: 'circle', polygon: 'triangle' };

function identified({ elements }: SeenPage) {
  const shape = elements.find(({ selector }) => selector.startsWith('#area_svg > '));
  if (shape === undefined) return null;
  const type = NAMES_OF_SHAPES[shape.name] ?? (/\d/.test(shape.text) ? 'digit' : 'letter');
  return clicked([`#area-buttons [data-type="${type}"]`]);
}

function signed({ utterance }: SeenPage) {
  const [, name, button] = / enter the name "(.+)" then press "(Agree|Cancel)"$/.exec(utterance) ?? [];
  if (name === undefined || button === undefined) return null;
  return [field('#name', name), ...(clicked([`#${button.toLowerCase()}`]) ?? [])];
}
