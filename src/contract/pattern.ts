import { RE2JS } from 're2js';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import { messageOf } from './message-of.ts';

/** Most states that a pattern may compile to; beyond, even linear time is long. `[ab]{1,400}` has 800. */
const MAX_STATES = 1_000;

/**
 * A pattern is found anywhere in a text unless it is anchored. Patterns run in a linear-time engine, so none in a
 * contract can stall the judge. They are written in JavaScript's syntax (no flags) without look-around and
 * back-references, and mean what they mean there, except (RE2): `.` and classes take a whole code point, where
 * JavaScript takes half of an emoji; `.` matches every character but "\n"; `\s` is ASCII white space (the text of a
 * page is normalised before, see `normaliseText`); and `\p{L}`, `(?i)`, `\A`, `\z`, `\Q…\E` and `[[:alpha:]]` work.
 */
export function compilePattern(source: string): (text: string) => boolean {
  const compiled = compile(source);
  return (text) => compiled.test(text);
}

/** The named groups of the first place where a pattern is found, those that took part; null when it is not found. */
export function compileGroups(source: string): (text: string) => Partial<Record<string, string>> | null {
  const compiled = compile(source);
  const names = Object.keys(compiled.namedGroups());
  return (text) => {
    const matcher = compiled.matcher(text);
    if (!matcher.find()) return null;
    return Object.fromEntries(
      names.flatMap((name) => {
        const group = matcher.group(name);
        return group === null ? [] : [[name, group]];
      }),
    );
  };
}

/** Says what is wrong with a pattern and what to do about it, or null when it is sound. */
export function patternProblem(source: string): Fact | null {
  try {
    const states = compile(source).programSize();
    if (states <= MAX_STATES) return null;
    return fact('pattern_too_large', { states, most: MAX_STATES });
  } catch (error) {
    return fact('pattern_invalid', { why: messageOf(error), linear: !/\(\?<?[=!]|\\[1-9k]/.test(source) });
  }
}

/** Compiled patterns: a contract is checked twice, and then judged at each capture of each episode, by the same few. */
const COMPILED = new Map<string, RE2JS>();
/** Most that are kept, so that a process that meets ever new ones stays small. */
const MAX_KEPT = 500;

function compile(source: string): RE2JS {
  const kept = COMPILED.get(source);
  if (kept !== undefined) return kept;
  const compiled = compileAnew(source);
  if (COMPILED.size >= MAX_KEPT) COMPILED.clear();
  COMPILED.set(source, compiled);
  return compiled;
}

function compileAnew(source: string): RE2JS {
  // The translation would read the back-reference `\k<name>` as the letter k.
  if (/^(?:[^\\]|\\[^k])*\\k/su.test(source)) throw new Error('\\k<name> is a back-reference');
  return RE2JS.compile(RE2JS.translateRegExp(source));
}
