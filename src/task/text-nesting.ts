import { Lexer, Parser } from 'yaml';

/** Deepest nesting that the parser is let loose on: twice what the deepest contract needs, and far from its own limits. */
const MAX_OPEN = 256;

/**
 * The offset at which a text becomes too deep to be parsed safely, or null. The parser proper recurses; this one does not,
 * and stops at the first place that is too deep. Tells `onNewLine` where the lines start.
 */
export function nestingOffset(text: string, onNewLine: (offset: number) => number): number | null {
  const parser = new Parser(onNewLine);
  onNewLine(0);
  try {
    for (const lexeme of new Lexer().lex(text)) {
      for (const finished of parser.next(lexeme)) void finished;
      if (parser.stack.length > MAX_OPEN) return parser.offset;
    }
    return null;
  } catch (error) {
    if (error instanceof RangeError) return parser.offset;
    throw error;
  }
}
