import { RE2JS } from 're2js';

/**
 * Patterns run in a linear-time engine (RE2 syntax), so no pattern in a contract can stall the judge.
 * RE2 is JavaScript's syntax without look-around and back-references.
 */
export function compilePattern(source: string): (text: string) => boolean {
  const compiled = RE2JS.compile(source);
  return (text) => compiled.matcher(text).find();
}

/** Says what is wrong with a pattern and what to do about it, or null when it is sound. */
export function patternProblem(source: string): string | null {
  try {
    compilePattern(source);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const remedy = /\(\?(<?[=!])|\\[1-9]/.test(source)
      ? 'look-around and back-references do not run in linear time; combine assertions with "and" and "not" instead'
      : 'write an RE2 pattern (JavaScript syntax without look-around and back-references)';
    return `is not a pattern we can run: ${reason}; ${remedy}`;
  }
}
