import { printable } from '../messages/printable.ts';

/**
 * Text from outside as a Markdown code span: shown literally, whatever it holds, on one line and inside a table cell.
 * The fence is longer than any run of backticks in the text (CommonMark 6.1); a pipe would end the cell (GFM 4.10).
 * Renderers do not agree whether a backslash before an escaped pipe escapes it again, so that one is written by its number.
 */
export function codeSpan(text: string): string {
  const shown = printable(text)
    // The whole run, and then whether a pipe follows: looked for from each backslash, a long run would take for ever.
    .replaceAll(/(\\+)(\|?)/g, (run, slashes: string, pipe: string) =>
      pipe === '' ? run : `${'\\u005c'.repeat(slashes.length)}|`,
    )
    .replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = shown.startsWith('`') || shown.endsWith('`') || shown === '' ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
}
