import { isatty } from 'node:tty';
import picocolors from 'picocolors';

/**
 * The colours of what is printed: for people at a terminal, on both streams, or where `FORCE_COLOR` asks for them.
 * A pipe gets plain text, in CI too (by itself picocolors colours everything where `CI` is set). `NO_COLOR` wins.
 */
export const colours = picocolors.createColors(isColoured(process.env));

function isColoured({ NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0') return true;
  return isatty(1) && isatty(2) && TERM !== 'dumb';
}
