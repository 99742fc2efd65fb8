import { RE2JS } from 're2js';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import { messageOf } from './message-of.ts';

/** Most states of a compiled pattern; beyond, even linear time is long. `[ab]{1,400}` has 800. */
const MAX_STATES = 1_000;

/**
 * Finds a pattern anywhere in a text unless it is anchored, by a linear-time engine, so that no contract can stall the judge.
 * The syntax is JavaScript's (no flags) without look-around and back-references. Differences (RE2): `.` and classes take a
 * whole code point; `.` matches every character but "\n"; `\s` is ASCII white space; and `\p{L}`, `(?i)`, `\A`, `\z`, `\Q…\E`
 * and `[[:alpha:]]` work.
 */
export function compilePattern(source: string): (text: string) => boolean {
  const compiled = compile(source);
  return (text) => compiled.test(text);
}

/** Most matches in a text, empty ones included: each may take as long as the text is, which a page decides. */
const MAX_MATCHES = 1_000;

/** The named groups that took part in each match, in the order of the text. */
export function compileGroups(source: string): (text: string) => Partial<Record<string, string>>[] {
  const compiled = compile(source);
  const names = Object.keys(compiled.namedGroups());
  return (text) => {
    const matcher = compiled.matcher(text);
    const matches = [];
    for (let found = 0; found < MAX_MATCHES && matcher.find(); found += 1) {
      const groups = names.map((name) => [name, matcher.group(name) ?? undefined]);
      if (matcher.group() !== '') matches.push(Object.fromEntries(groups));
    }
    return matches;
  };
}

export function patternProblem(source: string): Fact | null {
  try {
    const states = compile(source).programSize();
    if (states <= MAX_STATES) return null;
    return fact('pattern_too_large', { states, most: MAX_STATES });
  } catch (error) {
    return fact('pattern_invalid', { why: messageOf(error), linear: !/\(\?<?[=!]|\\[1-9k]/.test(source) });
  }
}

/** Compiled patterns: each capture of each episode is judged by the same few. */
const COMPILED = new Map<string, RE2JS>();
const MAX_KEPT = 500;

function compile(source: string): RE2JS {
  const kept = COMPILED.get(source);
  if (kept !== undefined) return kept;
  const compiled = compileFresh(source);
  if (COMPILED.size >= MAX_KEPT) COMPILED.clear();
  COMPILED.set(source, compiled);
  return compiled;
}

function compileFresh(source: string): RE2JS {
  // The translation would read `\k<name>` as the letter k.
  if (/^(?:[^\\]|\\[^k])*\\k/su.test(source)) throw new Error('\\k<name> is a back-reference');
  return RE2JS.compile(RE2JS.translateRegExp(source));
}
