// Control characters move cursors, colour text and hide it; bidirectional marks reorder it (Unicode TR 36, "Trojan Source");
// U+2028 and U+2029 end lines.
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Text from outside, fit for a terminal: control characters are shown as visible pictures, on one line. JSON stays the
 * JSON of the same value.
 */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** The same for text whose lines we made: its line breaks stay. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** Cuts a text to this many characters and an ellipsis, without half a surrogate pair. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).replaceAll(/\p{Surrogate}/gu, '\uFFFD')}…` : text;
}

/**
 * The line of a reply that explains most: not a heading, fence or blank line of Markdown, nor the place in the code where Node
 * crashed, but its error, which follows a line of carets.
 */
export function mainLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first = ''] = lines;
  const line = lines.find((each) => !/^(?:#{1,6}\s|```|~~~)/.test(each)) ?? first;
  const crash = /(?:node:|file:\/\/|\/)\S+:\d+$/.exec(line);
  if (crash === null) return line;
  const caret = lines.findIndex((each) => /^\^+$/.test(each));
  const error = caret === -1 ? undefined : lines[caret + 1];
  return error === undefined ? line : `${line.slice(0, crash.index)}${error}`;
}
