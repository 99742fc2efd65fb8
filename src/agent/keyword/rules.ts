import type { Answer } from '../../contract/evidence.ts';
import type { SurfaceIntent } from '../../task/intent.ts';
import { CLICKABLE, FIELDS, LISTS, type Observation } from './observation.ts';

const EMPTY = new Set(
  'a an and are as at be by do for from has have in into is it its of on or so that the them then this to was with'.split(
    ' ',
  ),
);

/** Synonyms on pages for words of goals. */
const SYNONYMS = new Map(
  Object.entries({
    change: 'edit',
    correct: 'edit',
    rename: 'edit',
    update: 'edit',
    remove: 'delete',
    sign: 'log',
    enter: 'add',
  }),
);

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !EMPTY.has(word));
}

function goalWords(goal: string): string[] {
  return wordsOf(goal).flatMap((word) => [word, ...(SYNONYMS.has(word) ? [SYNONYMS.get(word) ?? ''] : [])]);
}

function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  let shared = 0;
  while (shared < short.length && short[shared] === long[shared]) shared += 1;
  return shared >= 5 || (shared >= 4 && shared === short.length);
}

function hits(words: readonly string[], among: readonly string[]): number {
  return words.filter((word) => among.some((other) => isSame(word, other))).length;
}

const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/;
const URL_IN_TEXT = /https?:\/\/[^\s"<>]+/;
const PHONE = /\+?\d[\d -]{5,}\d/;
const NAME = String.raw`\p{Lu}[\p{L}'.-]*(?: \p{Lu}[\p{L}'-]*)*`;

export function addressIn(goal: string): string | null {
  return URL_IN_TEXT.exec(goal)?.[0].replace(/[.,;:!?)]+$/, '') ?? null;
}

/** Finds the value that a goal gives for the field of this label, or null. */
export function valueFor(label: string, goal: string): string | null {
  return quotedAfter(label, goal) ?? ofKind(label, goal) ?? numberAfter(label, goal);
}

/** `the password "secret"`, `Title: "Dr."`: in quotes, within a few words of the label. */
function quotedAfter(label: string, goal: string): string | null {
  return first(goal, new RegExp(`${anyWordOf(label)}[^".]{0,30}"([^"]+)"`, 'iu'));
}

function numberAfter(label: string, goal: string): string | null {
  return first(goal, new RegExp(`${anyWordOf(label)}[^".]{0,20}?(\\d[\\w.,-]*\\w|\\d)`, 'iu'));
}

function ofKind(label: string, goal: string): string | null {
  if (/e-?mail/i.test(label)) return EMAIL.exec(goal)?.[0] ?? null;
  if (/phone|tel/i.test(label)) return PHONE.exec(goal)?.[0] ?? null;
  if (/\b(?:url|path|address)\b/i.test(label)) return addressIn(goal) ?? first(goal, /(?:^|\s)(\/[\w./-]+)/);
  if (/user|login/i.test(label)) return first(goal, /\bas "([^"]+)"/);
  if (!/name/i.test(label)) return null;
  const given =
    first(goal, /\b(?:to|called|named|name:?) "([^"]+)"/) ?? first(goal, new RegExp(`(?:\\bas|:) (${NAME})`, 'u'));
  const part = /first/i.test(label) ? 0 : /last|sur|family/i.test(label) ? -1 : null;
  return part === null ? given : (given?.split(' ').at(part) ?? null);
}

function anyWordOf(label: string): string {
  const words = wordsOf(label).map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, ''));
  return words.length === 0 ? '(?!)' : `\\b(?:${words.join('|')})\\b`;
}

function first(text: string, pattern: RegExp): string | null {
  return pattern.exec(text)?.[1] ?? null;
}

function wantsAnswer(goal: string): boolean {
  return /\?|\b(?:answer|tell|report|how many|how much|which|what)\b/i.test(goal);
}

const SUBMITS = new Set(
  wordsOf('send submit save ok done confirm sign log continue next apply create add search update'),
);

/** Identifies an action, so that none is tried twice. */
export function intentKey(intent: SurfaceIntent): string {
  const { do: verb, ...what } = intent;
  return `${verb} ${JSON.stringify(what)}`;
}

/** The next action on what is seen; null when nothing relates to the goal. @param tried the keys of earlier actions */
export function nextIntent(goal: string, seen: Observation, tried: ReadonlySet<string>): SurfaceIntent | null {
  const isNew = (intent: SurfaceIntent): boolean => !tried.has(intentKey(intent));
  const clicks = scoredClicks(goal, seen);
  const hasFilled = [...tried].some((key) => /^(?:fill|choose) /.test(key));
  const hasClicked = [...tried].some((key) => key.startsWith('click '));
  const named = clicks.filter(({ share }) => share > 0.5);
  const submits = clicks.filter(
    ({ words }) => hasFilled && words.length > 0 && words.every((word) => SUBMITS.has(word)),
  );
  // A name that the goal contains in part is a guess, for lack of anything better.
  const guesses = hasClicked ? [] : clicks.filter(({ share }) => share > 0);
  const inOrder = [
    ...fills(goal, seen),
    ...choices(goal, seen),
    ...[named, submits, guesses].flat().map(({ intent }) => intent),
  ];
  return inOrder.find(isNew) ?? null;
}

function fills(goal: string, { elements }: Observation): SurfaceIntent[] {
  return elements.flatMap(({ role, name }): SurfaceIntent[] => {
    const text = FIELDS.has(role) ? valueFor(name, goal) : null;
    return text === null ? [] : [{ do: 'fill', label: name, text }];
  });
}

function choices(goal: string, { elements }: Observation): SurfaceIntent[] {
  const words = ` ${wordsOf(goal).join(' ')} `;
  return elements.flatMap(({ role, name, options }): SurfaceIntent[] => {
    if (!LISTS.has(role)) return [];
    const option = options.find((each) => wordsOf(each).length > 0 && words.includes(` ${wordsOf(each).join(' ')} `));
    return option === undefined ? [] : [{ do: 'choose', label: name, option }];
  });
}

interface ScoredClick {
  intent: SurfaceIntent;
  words: string[];
  /** Share of its name that the goal contains, from 0 to 1. */
  share: number;
}

/** Lists what can be clicked, in the order of likeness to the goal; of equals, the first on the page first. */
function scoredClicks(goal: string, { elements }: Observation): ScoredClick[] {
  const wanted = goalWords(goal);
  return elements
    .filter(({ role }) => CLICKABLE.has(role))
    .map(({ role, name }) => {
      const words = wordsOf(name);
      const count = hits(words, wanted);
      const share = words.length === 0 ? 0 : count / words.length;
      return { intent: { do: 'click', role, name } as const, words, share, score: count * share };
    })
    .toSorted((a, b) => b.score - a.score);
}

/** Answers a goal that asks for something: the number, or the words after a colon, in the text nearest to the goal. */
export function answerFrom(goal: string, { texts }: Observation): Answer | null {
  if (!wantsAnswer(goal)) return null;
  const wanted = goalWords(goal);
  const nearest = texts
    .map((text) => ({ text, near: hits(wordsOf(text), wanted) / Math.sqrt(Math.max(1, wordsOf(text).length)) }))
    .filter(({ near }) => near > 0)
    .toSorted((a, b) => b.near - a.near);
  for (const { text } of nearest) {
    const value = (text.match(/[\p{L}\p{N}][\p{L}\p{N}.,/-]*/gu) ?? [])
      .map((word) => word.replace(/[.,/-]+$/, ''))
      .find((word) => /\d/.test(word) && !goal.includes(word));
    if (value !== undefined) return { value: /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value };
  }
  const words = nearest.map(({ text }) => /: *(.+)$/.exec(text)?.[1]).find((text) => text !== undefined);
  return words === undefined ? null : { value: words };
}
