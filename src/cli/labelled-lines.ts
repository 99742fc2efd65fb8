import { cutTo, widthOf } from './live/text-width.ts';

/** Stands where a line has no label. */
export const INDENT = ' '.repeat(15);

/** Write texts beside a label, each broken where it is too long. */
export function labelled(label: string, texts: readonly string[], width: number): string[] {
  const lines = texts.flatMap((text) => broken(text, width - INDENT.length));
  return lines.map((line, at) => `${at === 0 ? label.padEnd(INDENT.length) : INDENT}${line}`.trimEnd());
}

/** Break a text at its spaces into lines of so many columns. */
export function broken(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(cutTo(Math.max(1, width), word));
  }
  return lines;
}
