import { compilePattern } from '../../contract/pattern.ts';

/** A pattern without look-around: a text matches all of `needs` and none of `bars`. */
export interface PlainPattern {
  needs: string[];
  bars: string[];
}

/** Whether an expected text is a pattern; what an agent gives never is. */
export function isPattern(text: string): boolean {
  return text.length >= 2 && text.startsWith('^') && text.endsWith('$');
}

/** Whether the whole of a text matches, in any case. @throws Error if RE2 refuses the pattern */
export function matchesWhole(pattern: string, text: string, flags = '(?i)'): boolean {
  const { needs, bars } = withoutLookAround(pattern);
  const isPlain = needs.length === 1 && bars.length === 0;
  return matches(isPlain ? { needs: [`^(?:${pattern})$`], bars } : { needs, bars }, text, flags);
}

/** Whether a pattern is found in a text, in any case. @throws Error if RE2 refuses the pattern */
export function findsIn(pattern: string, text: string): boolean {
  return matches(withoutLookAround(pattern), text, '(?i)');
}

function matches({ needs, bars }: PlainPattern, text: string, flags: string): boolean {
  const isIn = (source: string): boolean => compilePattern(`${flags}${source}`)(text);
  return needs.every(isIn) && !bars.some(isIn);
}

const BEGINNING = /^\^(?<before>(?:\.\*)?)(?=\(\?[=!])/;

/**
 * Rewrites the look-around at the beginning of a pattern, which an engine of linear time refuses. `^.*(?!b$).*$` matches every
 * text, as its first `.*` may take all of it; it is read as its author meant it: no `b` at the end.
 */
export function withoutLookAround(pattern: string): PlainPattern {
  const found = BEGINNING.exec(pattern);
  if (found === null) return { needs: [pattern], bars: [] };
  const before = found.groups?.['before'] ?? '';
  const plain: PlainPattern = { needs: [], bars: [] };
  let at = found[0].length;
  while (/^\(\?[=!]/.test(pattern.slice(at))) {
    const end = closingOf(pattern, at);
    const list = pattern[at + 2] === '=' ? plain.needs : plain.bars;
    list.push(`^${before}(?:${pattern.slice(at + 3, end)})`);
    at = end + 1;
  }
  return { ...plain, needs: [...plain.needs, `^${before}${pattern.slice(at)}`] };
}

/** The parenthesis that closes the one at `from`; the end of the pattern if none does. */
function closingOf(pattern: string, from: number): number {
  let depth = 0;
  for (let at = from; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '(') depth += 1;
    else if (pattern[at] === ')' && (depth -= 1) === 0) return at;
  }
  return pattern.length;
}
