const EMPTY = new Set(
  'a an and are as at be by do for from has have in into is it its of on or so that the them then this to was with'.split(
    ' ',
  ),
);

/** Words of a goal that mean what pages call otherwise. */
const ALSO = new Map(
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

/** The words of a text that say something, in lower case. */
export function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !EMPTY.has(word));
}

/** The words of a goal, with those that pages use instead. */
export function goalWords(goal: string): string[] {
  return wordsOf(goal).flatMap((word) => [word, ...(ALSO.has(word) ? [ALSO.get(word) ?? ''] : [])]);
}

/** Whether two words are one but for their endings: `vote` and `votes`, `publish` and `publication`. */
function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  let shared = 0;
  while (shared < short.length && short[shared] === long[shared]) shared += 1;
  return shared >= 5 || (shared >= 4 && shared === short.length);
}

/** Count those of these words that are among those. */
export function hits(words: readonly string[], among: readonly string[]): number {
  return words.filter((word) => among.some((other) => isSame(word, other))).length;
}
