/** A text as it is compared: without case and accents, and any white space as one space. */
export interface Folded {
  text: string;
  /** Where each sign of it stands in the text as it was written. */
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

/** Where a literal stands, from its first sign to behind its last one. */
export interface Span {
  from: number;
  to: number;
}

/** Where a literal stands as a whole, and not within a longer word or number. */
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
