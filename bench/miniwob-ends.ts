import type { Intent } from '../src/task/intent.ts';

/** A way to end a page of MiniWoB++ that a script knows from its goal alone. */
export interface KnownEnd {
  page: string;
  /** Part of the id of its task. */
  name: string;
  isRight: boolean;
  /** Null if this goal has no such end. */
  steps: (goal: string) => Intent[] | null;
}

const click = (name: string, role = 'button'): Intent => ({ do: 'click', role, name });
const press = (...keys: string[]): Intent[] => keys.map((key) => ({ do: 'press', key }));
const type = (text: string): Intent[] => press(...text.split(''));
const SUBMIT = click('Submit');

function part(goal: string, pattern: RegExp): string | null {
  return pattern.exec(goal)?.[1] ?? null;
}

/** The names in "Select A, B and click Submit.", as steps that check their boxes. */
function boxes(goal: string): Intent[] | null {
  const names = part(goal, /^Select (.+) and click Submit\.$/);
  return names === null || names === 'nothing' ? null : names.split(', ').map((name) => click(name, 'checkbox'));
}

const checkboxes = ['click-checkboxes', 'click-checkboxes-large', 'click-checkboxes-transfer'].flatMap(
  (page): KnownEnd[] => [
    { page, name: 'right', isRight: true, steps: (goal) => withSubmit(boxes(goal)) },
    { page, name: 'one-missing', isRight: false, steps: (goal) => withSubmit(boxes(goal)?.slice(1) ?? null) },
    { page, name: 'not-submitted', isRight: false, steps: boxes },
  ],
);

function withSubmit(steps: Intent[] | null): Intent[] | null {
  return steps === null ? null : [...steps, SUBMIT];
}

/** The first Tab leads to the radio buttons, the second past them. */
function sequence(goal: string, radio: (asked: number) => number): Intent[] | null {
  const [, asked, number, place] = /the (\d)\w+ radio .+"(-?\d+)".+the (\d)\w+ textbox/.exec(goal) ?? [];
  if (number === undefined) return null;
  const downs = Array.from({ length: radio(Number(asked)) - 1 }, () => 'ArrowDown');
  const tabs = Array.from({ length: Number(place) }, () => 'Tab');
  return [...press('Tab', 'Space', ...downs, ...tabs), ...type(number), SUBMIT];
}

function typed(goal: string, change: (text: string) => string): Intent[] | null {
  const text = part(goal, /^Enter "(.+)" into the text field/);
  return text === null ? null : [...press('Tab'), ...type(change(text)), SUBMIT];
}

function time(goal: string, later: number): Intent[] | null {
  const [, hour, minute, half] = /^Enter (\d+):(\d\d) ([AP])M as the time/.exec(goal) ?? [];
  if (hour === undefined || minute === undefined || half === undefined) return null;
  const shown = String(((Number(hour) - 1 + later) % 12) + 1).padStart(2, '0');
  return [...press('Tab'), ...type(`${shown}${minute}${half}`), SUBMIT];
}

/** Begins and ends as asked, and is no country. */
function unlisted(goal: string): Intent[] | null {
  const [, start, end = ''] = /starts with "(.+?)"(?: and ends with "(.+)")?\.$/.exec(goal) ?? [];
  return start === undefined ? null : [{ do: 'fill', label: 'Tags:', text: `${start}qq${end}` }, SUBMIT];
}

const DIALOG_BUTTONS = ['Cancel', 'OK', 'x'];

function dialogButton(goal: string, after: number): Intent[] | null {
  const place = DIALOG_BUTTONS.indexOf(part(goal, /labeled "(.+)"\.$/) ?? '');
  const label = DIALOG_BUTTONS[(place + after) % DIALOG_BUTTONS.length] ?? '';
  return place < 0 ? null : [click(label === 'x' ? 'Close' : label)];
}

const reversed = (text: string): string => text.split('').toReversed().join('');

function option(goal: string): Intent[] | null {
  const name = part(goal, /^Select (.+) and click Submit\.$/);
  return name === null ? null : [click(name, 'radio'), SUBMIT];
}

function pair(page: string, right: KnownEnd['steps'], wrong: KnownEnd['steps'], name: string): KnownEnd[] {
  return [
    { page, name: 'right', isRight: true, steps: right },
    { page, name, isRight: false, steps: wrong },
  ];
}

export const KNOWN_ENDS: readonly KnownEnd[] = [
  { page: 'click-test', name: 'right', isRight: true, steps: () => [click('Click Me!')] },
  ...pair(
    'click-test-2',
    () => [click('ONE')],
    () => [click('TWO')],
    'other-button',
  ),
  ...pair(
    'click-button-sequence',
    () => [click('ONE'), click('TWO')],
    () => [click('TWO'), click('ONE')],
    'other-order',
  ),
  ...checkboxes,
  ...pair('click-option', option, () => [SUBMIT], 'nothing-chosen'),
  ...['enter-text', 'enter-text-dynamic'].flatMap((page) =>
    pair(
      page,
      (goal) => typed(goal, (text) => text),
      (goal) => typed(goal, reversed),
      'backwards',
    ),
  ),
  ...pair(
    'enter-time',
    (goal) => time(goal, 0),
    (goal) => time(goal, 1),
    'other-hour',
  ),
  { page: 'use-autocomplete', name: 'not-in-list', isRight: false, steps: unlisted },
  ...pair(
    'click-test-transfer',
    () => [click('ONE')],
    () => [click('TWO')],
    'other-button',
  ),
  { page: 'click-dialog', name: 'right', isRight: true, steps: () => [click('Close')] },
  ...pair(
    'click-dialog-2',
    (goal) => dialogButton(goal, 0),
    (goal) => dialogButton(goal, 1),
    'other-button',
  ),
  ...pair(
    'form-sequence-2',
    (goal) => sequence(goal, (asked) => asked),
    (goal) => sequence(goal, (asked) => (asked % 3) + 1),
    'other-radio',
  ),
  {
    page: 'generate-number',
    name: 'nothing-generated',
    isRight: false,
    steps: (goal) => (goal.includes(' even ') ? [SUBMIT] : null),
  },
];
