import type { Contract } from '../../contract/schema.ts';
import { byGoal, counts, literal, type PageRow, shows, partsOf } from './clauses.ts';
import type { SeenPage } from './seen-page.ts';

/** Pages that end with something moved, drawn, played or written. */
export const ARRANGED_PAGES: readonly PageRow[] = [
  ['generate-number', generatedNumber],
  ['guess-number', () => [counts('#correct:not(.hide)', 1)]],
  [
    'ascending-numbers',
    () => [counts('#area_svg > rect[data-index="5"]', 1), counts('#area_svg > :is(rect, text)', 1)],
  ],
  ['tic-tac-toe', () => [{ kind: 'or', children: LINES.map(filled) }]],
  ['drag-circle', byGoal(/^Drag the circle (\w+) then press Submit\.$/, ([way]) => moved(way))],
  ['drag-single-shape', byGoal(/^Drag the item (\w+) then press Submit\.$/, ([way]) => moved(way))],
  [
    'drag-sort-numbers',
    (seen) => {
      const numbers = itemsIn(seen).map(Number);
      return numbers.length === 0 ? null : [shows('#sortable', numbers.toSorted((a, b) => a - b).join(' '))];
    },
  ],
  [
    'drag-items',
    byGoal(
      /^Drag (.+?) (?:to the )?(top|bottom|(?:up|down) by one position|\d\w\w position)\.$/,
      ([name, place], seen) =>
        dropped(seen, name, (at, last) => {
          if (place.startsWith('up') || place.startsWith('down')) return at + (place.startsWith('up') ? -1 : 1);
          return place === 'top' ? 1 : place === 'bottom' ? last : Number.parseInt(place, 10);
        }),
    ),
  ],
  [
    'drag-items-grid',
    byGoal(/^Drag (.+?) (?:(up|down|left|right) by one|to the (.+))\.$/, ([name, way, place], seen) =>
      dropped(seen, name, (at) => (way === '' ? PLACES.indexOf(place) + 1 : at + (STEPS[way] ?? 0))),
    ),
  ],
  ['terminal', byGoal(/ (?:the extension \.(\S+)|no file extension\.)$/, ([extension]) => removed(extension))],
  ['text-editor', styled],
];

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

const LINES = ['012', '345', '678', '036', '147', '258', '048', '246'];

function filled(line: string): Contract {
  return counts(
    line
      .split('')
      .map((place) => `#ttt-${place}.mark-x`)
      .join(', '),
    line.length,
  );
}

/** By the shift that the page writes as `translate(x,y)`. */
const SHIFTS: Readonly<Record<string, string>> = {
  left: '[transform^="translate(-"]',
  right: '[transform]:not([transform^="translate(-"]):not([transform^="translate(0,"])',
  up: '[transform*=",-"]',
  down: '[transform]:not([transform*=",-"]):not([transform$=",0)"])',
};

function moved(way: string): Contract[] | null {
  const shift = SHIFTS[way];
  return shift === undefined ? null : [counts(`#area svg > ${shift}`, 1)];
}

function itemsIn(seen: SeenPage): string[] {
  return partsOf(seen, '#sortable').flatMap(({ name, text }) => (name === 'div' ? [text] : []));
}

const PLACES = ['top', 'center', 'bottom'].flatMap((row) =>
  ['left', 'center', 'right'].map((column) => (row === column ? row : `${row} ${column}`)),
);
const STEPS: Readonly<Record<string, number>> = { up: -3, down: 3, left: -1, right: 1 };

/** The item is where the goal wants it. @param target its place, from 1, by the one that it has */
function dropped(seen: SeenPage, name: string, target: (at: number, last: number) => number): Contract[] | null {
  const items = itemsIn(seen);
  if (items.filter((item) => item === name).length !== 1) return null;
  return [shows(`#sortable > :nth-child(${target(items.indexOf(name) + 1, items.length)})`, name)];
}

/** A command that removes such a file: for `.sh`, the page takes `bash` too. */
function removed(extension: string): Contract[] {
  const file = extension === '' ? String.raw`[^\s.]+` : String.raw`\S*\.${literal(extension)}`;
  return [{ kind: 'dom_text', selector: '#terminal-contents', matches: String.raw`user\$ ?rm\S* ${file}( |$)` }];
}

const TAGS: Readonly<Record<string, string>> = { bold: 'strong', italics: 'em', underlined: 'u' };

/** The text has the style and is as it was: the page looks at the styled part alone. */
function styled(seen: SeenPage): Contract[] | null {
  const whole = partsOf(seen, '#editor').find(({ name }) => name === 'p')?.text;
  const [, part, style = '', colour = ''] =
    /^Using the text editor, (?:give the text|give|make) (.+) the (?:style (\w+)|color (\w+))/.exec(seen.utterance) ??
    [];
  if (whole === undefined || part === undefined) return null;
  const colours = seen.lists.COLOR_MAP?.[colour]?.map((hex) => `[style*="${rgb(hex)}"]`);
  const how = TAGS[style] ?? (colours === undefined ? null : `:is(${colours.join(', ')})`);
  if (how === null) return null;
  return [shows('.ql-editor', whole), shows(`.ql-editor ${how}`, part === 'everything' ? whole : part)];
}

function rgb(hex: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `rgb(${parts.join(', ')})`;
}
