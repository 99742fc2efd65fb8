import { leavesOf } from '../contract/literal-pieces.ts';
import { type Contract, kindOf, leavesIn } from '../contract/schema.ts';
import type { Intent } from './intent.ts';
import { folded } from './literal-search.ts';
import { ORDINARY_WORDS } from './ordinary-words.ts';
import type { Task } from './schema.ts';

/** Shorter ones stand in any text. */
const MIN_LENGTH = 4;

/** Collect what gives a task away where it stands outside of it: its values, and all that its solutions press, look for and call. */
export function literalsOf(task: Task): Set<string> {
  return new Set([...valuesOf(task), ...telling(stepsOf(task).flatMap((step) => saidBy(step).names))]);
}

/**
 * The values of a task: those that its contract expects and the places that its pointers lead to, those of its instance, what
 * its goal puts in quotation marks, and what its solutions fill in, give and answer.
 */
export function valuesOf(task: Task): Set<string> {
  const { success, guards, instance, goal } = task;
  const quoted = [...goal.matchAll(/["“„«]([^"“”„«»]+)["”“»]/g)].map(([, text = '']) => text);
  return telling([
    ...expectedBy(success),
    ...(guards === undefined ? [] : expectedBy(guards)),
    ...leavesOf(instance?.parameters),
    ...quoted,
    ...stepsOf(task).flatMap((step) => saidBy(step).values),
  ]);
}

function stepsOf({ solutions = [] }: Task): Intent[] {
  return solutions.flatMap(({ steps }) => steps);
}

function telling(texts: readonly string[]): Set<string> {
  return new Set(texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter(isTelling));
}

/** A number of three digits tells something; a text of four signs does, unless it is one word that is ordinary or in lower case. */
function isTelling(text: string): boolean {
  if (/^\d{3,}$/.test(text)) return true;
  if (text.length < MIN_LENGTH || /^\p{Ll}+$/u.test(text)) return false;
  return !ORDINARY_WORDS.has(folded(text).text);
}

/** Collect the names that a step has for things of the app, and the values that it gives. Roles and keys are the same in every app. */
function saidBy(step: Intent): { names: string[]; values: string[] } {
  switch (step.do) {
    case 'go':
      return { names: [], values: [step.url] };
    case 'click':
      return { names: [step.name], values: [] };
    case 'fill':
      return { names: [step.label], values: [step.text] };
    case 'choose':
      return { names: [step.label], values: [step.option] };
    case 'dialog':
      return { names: [], values: leavesOf(step.text) };
    case 'wait_for':
      return { names: [step.text], values: [] };
    case 'call':
      return { names: [step.tool], values: leavesOf(step.args) };
    case 'answer':
      return { names: [], values: leavesOf(step.value) };
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
