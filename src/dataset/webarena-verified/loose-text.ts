import { sameText } from '../../contract/answer/text.ts';

/** Signs that carry no meaning, such as the one of a trade mark; NFKC would make letters of them. */
const MARKS = /[\u2122\u00AE\u2120\u00A9]/g;
/** A hyphen that is neither between digits nor the sign of a number. */
const HYPHEN_OF_WORDS = /-(?!\d)|(?<=[^\s(\d])-/g;

/** The form in which two texts are compared: without case, accents and the hyphens of words. */
export function looseText(text: string): string {
  const plain = sameText(text.replaceAll(MARKS, '').normalize('NFKC'));
  const letters = plain.replaceAll(HYPHEN_OF_WORDS, ' ').normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return letters.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

export function withoutPunctuation(text: string): string {
  return text.replaceAll(/^['"`.,;:!?]+|['"`.,;:!?]+$/g, '');
}

/** Likeness of two names from 0 to 100, by the longest common subsequence of their sorted words. */
export function likeness(one: string, other: string): number {
  const [a, b] = [sortedWords(one), sortedWords(other)];
  if (a === b) return 100;
  return Math.round((200 * commonLength(a, b)) / (a.length + b.length));
}

function sortedWords(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.toSorted().join(' ');
}

function commonLength(a: string, b: string): number {
  let before = Array.from<number>({ length: b.length + 1 }).fill(0);
  for (const letter of a) {
    const now = [0];
    for (let at = 1; at <= b.length; at += 1) {
      now.push(letter === b[at - 1] ? (before[at - 1] ?? 0) + 1 : Math.max(before[at] ?? 0, now[at - 1] ?? 0));
    }
    before = now;
  }
  return before.at(-1) ?? 0;
}
