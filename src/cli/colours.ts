import { randomInt } from 'node:crypto';
import { isatty } from 'node:tty';
import { printable } from '../messages/printable.ts';

/** The colour codes that we print: on and off (ECMA-48, SGR). */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** Random for each process, and never printed, so text from outside cannot imitate our marks. */
const SECRET = Array.from({ length: 4 }, () => randomInt(1_000, 10_000)).join(';');
const MARK = new RegExp(`\\u001b\\[(\\d+);${SECRET}m`);

/**
 * Mark text to be coloured if both streams are terminals, or if `FORCE_COLOR` is set. `NO_COLOR` takes precedence.
 */
export const colours = {
  bold: marked('bold'),
  dim: marked('dim'),
  red: marked('red'),
  green: marked('green'),
  yellow: marked('yellow'),
  cyan: marked('cyan'),
};

function marked(colour: keyof typeof CODES): (text: string) => string {
  const [on, off] = CODES[colour];
  if (!isColoured(process.env)) return (text) => text;
  return (text) => `\u001b[${on};${SECRET}m${text}\u001b[${off};${SECRET}m`;
}

function isColoured({ NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0') return true;
  return isatty(1) && isatty(2) && TERM !== 'dumb';
}

/** Makes every control character visible, line breaks included, except our marks. */
export function visible(text: string): string {
  return eachPart(text, (code) => `\u001b[${code};${SECRET}m`);
}

/** Does the same, and replaces our marks with colour codes. */
export function painted(text: string): string {
  return eachPart(text, (code) => `\u001b[${code}m`);
}

function eachPart(text: string, mark: (code: string) => string): string {
  const parts = text.split(MARK);
  return parts.map((part, at) => (at % 2 === 0 ? printable(part) : mark(part))).join('');
}
