import { leavesOf } from '../contract/strings.ts';
import { type Contract, kindOf, leavesIn } from '../contract/schema.ts';
import type { Intent } from './intent.ts';
import type { Task } from './schema.ts';

/** Shorter ones occur in any text. */
const MIN_LENGTH = 4;

/** Texts that give a task away: its values, and everything that its solutions press, look for and call. */
export function literalsOf(task: Task): Set<string> {
  return new Set([...valuesOf(task), ...distinctive(stepsOf(task).flatMap((step) => namesAndValues(step).names))]);
}

/**
 * Returns what the contract expects, its pointers, the parameters of the instance, quotations in the goal, and what solutions
 * fill in and answer.
 */
export function valuesOf(task: Task): Set<string> {
  const { success, guards, instance, goal } = task;
  const quoted = [...goal.matchAll(/["“„«]([^"“”„«»]+)["”“»]/g)].map(([, text = '']) => text);
  return distinctive([
    ...expectedBy(success),
    ...(guards === undefined ? [] : expectedBy(guards)),
    ...leavesOf(instance?.parameters),
    ...quoted,
    ...stepsOf(task).flatMap((step) => namesAndValues(step).values),
  ]);
}

function stepsOf({ solutions = [] }: Task): Intent[] {
  return solutions.flatMap(({ steps }) => steps);
}

function distinctive(texts: readonly string[]): Set<string> {
  return new Set(texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter(isDistinctive));
}

/** A number of three digits counts; so does a text of four characters, unless it is one ordinary or lower-case word. */
function isDistinctive(text: string): boolean {
  if (/^\d{3,}$/.test(text)) return true;
  if (text.length < MIN_LENGTH || /^\p{Ll}+$/u.test(text)) return false;
  return !ORDINARY_WORDS.has(folded(text).text);
}

/** Names of things of the app, and values. Roles and keys are the same in every app. */
function namesAndValues(step: Intent): { names: string[]; values: string[] } {
  switch (step.do) {
    case 'go':
      return { names: [], values: [step.url] };
    case 'click':
      return { names: [step.name, ...leavesOf(step.near)], values: [] };
    case 'double_click':
    case 'right_click':
    case 'hover':
      return { names: [step.name], values: [] };
    case 'upload':
      return { names: [step.name], values: step.files };
    case 'drag':
      return { names: [step.name, typeof step.to === 'string' ? step.to : step.to.name], values: [] };
    case 'fill':
      return { names: [step.label, ...leavesOf(step.near)], values: [step.text] };
    case 'choose':
      return { names: [step.label, ...leavesOf(step.near)], values: [step.option] };
    case 'dialog':
      return { names: [], values: leavesOf(step.text) };
    case 'wait_for':
      return { names: [step.text], values: [] };
    case 'call':
      return { names: [step.tool], values: leavesOf(step.args) };
    case 'answer':
      return { names: [], values: leavesOf(step.value) };
    case 'click_at':
    case 'press':
    case 'switch_tab':
    case 'read':
    case 'settle':
    case 'not_possible':
      return { names: [], values: [] };
  }
}

function expectedBy(contract: Contract): string[] {
  return leavesIn(contract).flatMap((leaf) => kindOf(leaf).literals(leaf));
}

/** A text for comparison: without case and accents, with single spaces. */
export interface Folded {
  text: string;
  /** The index of each character in the original text. */
  places: readonly number[];
}

export function folded(written: string): Folded {
  let text = '';
  const places: number[] = [];
  for (let at = 0; at < written.length; at += 1) {
    for (const sign of foldedSign(written.charAt(at))) {
      if (sign === ' ' && text.endsWith(' ')) continue;
      text += sign;
      places.push(at);
    }
  }
  return { text, places };
}

function foldedSign(sign: string): string {
  return /\s/.test(sign) ? ' ' : sign.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** `to` is exclusive. */
export interface Span {
  from: number;
  to: number;
}

/** Places of a literal that are not within a longer word or number. */
export function placesOf(literal: string, { text, places }: Folded): Span[] {
  const sought = folded(literal).text.trim();
  const found: Span[] = [];
  if (sought === '') return found;
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    const isWithin = (isWord(text[at - 1]) && isWord(sought[0])) || (isWord(text[end]) && isWord(sought.at(-1)));
    const [from, last] = [places[at], places[end - 1]];
    if (!isWithin && from !== undefined && last !== undefined) found.push({ from, to: last + 1 });
  }
  return found;
}

function isWord(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}]/u.test(sign);
}

/**
 * Words that any description of work in a browser may need, and so never give a task away alone. They include every word of the
 * built-in prompts, which a test checks: review a new word of a prompt before adding it here.
 */
export const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  `about after again alike alone among another answer application args around asked asks because been before brings browser
  call called calls cannot careful carried carry change claim comes dialog does done each else emitted every everything exactly
  exist fails first found from give gives happened have instruction json labels later least leave line long look looks make
  material mean means mend more most must names never nobody nothing obeyed object once only operate operating order other outcome
  page pages part place plan possible reads reason repeat replies reply saved saves says seen several shorter shown shows small
  something stand stands steps success sure system task tell tells that their them then there they things through tool tools
  tried true turn unless user values ways were what whatever when where whether which whoever whole will with words work write
  your

  action address button cancel click close confirm create date delete email enter field form link list method name next open
  password press reference search select send submit table text title type update wait`.split(/\s+/),
);
