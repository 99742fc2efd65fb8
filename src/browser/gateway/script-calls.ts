import type { JsonObject } from '../../contract/json.ts';
import { type Code, codeIn, stringsIn } from './code-in-command.ts';
import type { CdpCommand } from './command.ts';
import { bare, isPiece, isScriptOrMarkup, isWrapped } from './written-text.ts';

const MAX_TEXTS = 100;
/** Number of characters of written text that are kept: the oldest calls are forgotten first. */
const MAX_KEPT = 16 * 1024 * 1024;
/** Most helper scripts of a tool that are known again, and the longest of them, in characters. */
const MAX_HELPERS = 1_000;
const MAX_HELPER_LENGTH = 10_000;

interface Written {
  step: number;
  texts: string[];
  hasReached: boolean;
}

/**
 * Finds the tool calls with which an agent brought a script or markup of its own into a page: a text of the call's arguments
 * that comes back in a command as code. A tool's own helper scripts are not the agent's, nor is what a tool types for it.
 * A text that a tool assembles or reads elsewhere is not found, so the number is a lower bound.
 */
export class ScriptCalls {
  #step = 0;
  readonly #written: Written[] = [];
  readonly #helpers = new Set<string>();
  readonly #onReached: (step: number) => void;

  /** @param onReached called once for each of those calls, with its step, counted from 1 */
  constructor(onReached: (step: number) => void) {
    this.#onReached = onReached;
  }

  callBegins(args: JsonObject): void {
    this.#step += 1;
    const texts = [...new Set(stringsIn(args).map(({ text }) => bare(text)))]
      .toSorted((a, b) => b.length - a.length)
      .slice(0, MAX_TEXTS);
    const scripts = texts.filter(isScriptOrMarkup);
    if (scripts.length > 0) this.#written.push({ step: this.#step, texts: scripts, hasReached: false });
    let kept = this.#written.reduce((total, each) => total + lengthOf(each), 0);
    while (kept > MAX_KEPT) kept -= lengthOf(this.#written.shift());
  }

  note(command: CdpCommand): void {
    const typed = command.method === 'Input.insertText' ? command.params?.['text'] : undefined;
    if (typeof typed === 'string') this.#forget(typed);
    for (const code of codeIn(command)) {
      const helper = `${code.place}\0${code.text}`;
      if (this.#helpers.has(helper)) continue;
      const writer = this.#writerOf(code);
      if (writer !== undefined) {
        if (!writer.hasReached) this.#onReached(writer.step);
        writer.hasReached = true;
      } else if (this.#helpers.size < MAX_HELPERS && helper.length <= MAX_HELPER_LENGTH) {
        this.#helpers.add(helper);
      }
    }
  }

  /** The latest call that brought it. A script that a tool runs by itself may send some when the next call has begun already. */
  #writerOf(code: Code): Written | undefined {
    const piece = bare(code.text);
    return this.#written.findLast(({ step, texts }) =>
      texts.some((text) => text === piece || isPiece(piece, text) || (step === this.#step && isWrapped(code, text))),
    );
  }

  #forget(typed: string): void {
    for (const written of this.#written) written.texts = written.texts.filter((text) => text !== bare(typed));
  }
}

function lengthOf(written: Written | undefined): number {
  return (written?.texts ?? []).reduce((total, { length }) => total + length, 0);
}
