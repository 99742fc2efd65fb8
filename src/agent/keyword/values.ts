import { wordsOf } from './words.ts';

const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/;
const URL_IN_TEXT = /https?:\/\/[^\s"<>]+/;
const PHONE = /\+?\d[\d -]{5,}\d/;
const NAME = String.raw`\p{Lu}[\p{L}'.-]*(?: \p{Lu}[\p{L}'-]*)*`;

/** The address that a goal names; null when there is none. */
export function addressIn(goal: string): string | null {
  return URL_IN_TEXT.exec(goal)?.[0].replace(/[.,;:!?)]+$/, '') ?? null;
}

/** Find the value that a goal wants in the field of this label; null when it does not say. */
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

/** Find a value that is known by its looks, or by the word before it. */
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

/** The words of a label as a pattern: one of them must come. */
function anyWordOf(label: string): string {
  const words = wordsOf(label).map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, ''));
  return words.length === 0 ? '(?!)' : `\\b(?:${words.join('|')})\\b`;
}

function first(text: string, pattern: RegExp): string | null {
  return pattern.exec(text)?.[1] ?? null;
}

export function wantsAnswer(goal: string): boolean {
  return /\?|\b(?:answer|tell|report|how many|how much|which|what)\b/i.test(goal);
}
