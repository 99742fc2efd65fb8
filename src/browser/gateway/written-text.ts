import { Script } from 'node:vm';
import { type Code, evaluates } from './code-in-command.ts';

/** Number of characters that a tool may add around a given script for it to count as the same script. */
const MAX_WRAPPING = 4_000;
/** Shorter pieces, in characters, may match by chance. */
const MIN_PIECE = 12;

/** Whether a text of an agent can be anything but words to a page: it is JavaScript that does more than name a value, or markup. */
export function isScriptOrMarkup(text: string): boolean {
  if (isMarkup(text)) return true;
  return /[(.=[;`]/.test(text) && compiles(text);
}

/**
 * The code is a piece of what the agent wrote: of a script that the tool itself has run. Like the others, it is asked for
 * every command, of which some are long: what costs little is looked at first.
 */
export function isPiece(piece: string, text: string): boolean {
  if (piece.length < MIN_PIECE || piece.length > text.length) return false;
  if (!text.includes(piece) && !text.includes(escaped(piece))) return false;
  return isMarkup(piece) || acts(piece);
}

/** The code is what the agent wrote with a little around it, and is script there too: not the content of a string. */
export function isWrapped({ text: code }: Code, text: string): boolean {
  if (text.length < MIN_PIECE || code.length - text.length > MAX_WRAPPING) return false;
  const at = code.indexOf(text);
  if (at >= 0 && acts(text)) {
    const broken = `${code.slice(0, at)}§${code.slice(at + text.length)}`;
    // In a string or a comment, something that is not JavaScript would do no harm.
    if (compiles(code) && !compiles(broken)) return true;
  }
  const around = at >= 0 ? [code.slice(0, at), code.slice(at + text.length)] : code.split(escaped(text));
  return around.length > 1 && evaluates(around.join(''));
}

/** Without blanks, and without the brackets that turn a function into an expression: as texts are compared. */
export function bare(text: string): string {
  const trimmed = text.trim();
  const inBrackets = /^\(\s*((?:async\s+)?function\b.*\})\s*\)$/s.exec(trimmed)?.[1];
  return inBrackets ?? trimmed;
}

function isMarkup(text: string): boolean {
  return /<[a-z!/]/i.test(text);
}

/** JavaScript that calls, assigns or is a function; `document.title` alone might be a word of the page. */
function acts(text: string): boolean {
  return /=>|[\w$)\]]\s*\(|[^=!<>]=[^=]|\+\+|--|`/.test(text) && compiles(text);
}

/** Whether it is JavaScript: an expression, a script, or the body of a function. It is compiled and never run. */
function compiles(code: string): boolean {
  return [`(${code}\n)`, code, `async () => {${code}\n}`].some((script) => {
    try {
      return new Script(script) instanceof Script;
    } catch {
      return false;
    }
  });
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
