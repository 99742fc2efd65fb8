/** Most separators within one item, such as the commas of an address. */
const LONGEST = 8;
export const MAX_ENTRIES = 1_000;

const SEPARATOR = /\s*(?:[,;]\s*(?:and|&)(?=\s)|[,;]|(?<=\s)(?:and|&)(?=\s))\s*/gi;
const BULLET = /^(?:[-*\u2022\u2023]|\(?\d{1,3}[.)])\s+/u;

/** A text cut at each separator; neighbours can be taken together again, as an item may hold a separator. */
export interface Pieces {
  count: number;
  /** `to` is exclusive. */
  join: (from: number, to: number) => string;
}

/** Cuts a list as people write one: in lines, with bullets or numbers or without, else at commas, semicolons, "and" and "&". */
export function listPieces(text: string): Pieces {
  // A separator takes the white space around it, of which a long run would take the square of its length.
  const lines = linesOf(text).map((line) => line.replaceAll(/\s+/g, ' '));
  if (lines.length > 1) {
    return {
      count: lines.length,
      join: (from, to) => (to === from + 1 ? (lines[from] ?? '').replace(BULLET, '').replace(/[,;]$/, '') : ''),
    };
  }
  const [line = ''] = lines;
  const cuts = [...line.matchAll(SEPARATOR)].map(({ index, 0: { length } }) => ({ from: index, to: index + length }));
  return {
    count: cuts.length + 1,
    join: (from, to) => unquoted(line.slice(cuts[from - 1]?.to ?? 0, cuts[to - 1]?.from ?? line.length)),
  };
}

export function linesOf(text: string): string[] {
  return text
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function unquoted(text: string): string {
  return (
    /^"(.+)"$|^“(.+)”$|^'(.+)'$|^‘(.+)’$/su
      .exec(text)
      ?.slice(1)
      .find((inner) => inner !== undefined) ?? text
  );
}

/** Whether the whole text is `count` items in their order. */
export function isSequence(pieces: Pieces, count: number, isItem: (text: string, item: number) => boolean): boolean {
  if (pieces.count > Math.min(MAX_ENTRIES, count * LONGEST)) return false;
  let ends = new Set([0]);
  for (let item = 0; item < count && ends.size > 0; item += 1) {
    const next = new Set<number>();
    for (const from of ends) {
      for (let to = from + 1; to <= Math.min(pieces.count, from + LONGEST); to += 1) {
        if (!next.has(to) && isItem(pieces.join(from, to), item)) next.add(to);
      }
    }
    ends = next;
  }
  return ends.has(pieces.count);
}

/** Cuts the whole text into texts that are items, the longest first; null if something else is left. */
export function itemsIn(pieces: Pieces, isAny: (text: string) => boolean): string[] | null {
  if (pieces.count > MAX_ENTRIES) return null;
  const found: string[] = [];
  for (let from = 0; from < pieces.count;) {
    let to = Math.min(pieces.count, from + LONGEST);
    while (to > from && !isAny(pieces.join(from, to))) to -= 1;
    if (to === from) return null;
    found.push(pieces.join(from, to));
    from = to;
  }
  return found;
}

/** Whether each wanted item can have a given one of its own. */
export function canPair(wanted: number, given: number, fits: (wanted: number, given: number) => boolean): boolean {
  const holders = new Map<number, number>();
  const place = (item: number, tried: Set<number>): boolean => {
    for (let other = 0; other < given; other += 1) {
      if (tried.has(other) || !fits(item, other)) continue;
      tried.add(other);
      const holder = holders.get(other);
      if (holder !== undefined && !place(holder, tried)) continue;
      holders.set(other, item);
      return true;
    }
    return false;
  };
  return Array.from({ length: wanted }, (_, item) => item).every((item) => place(item, new Set()));
}
