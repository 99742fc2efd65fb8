import { messageOf } from '../../contract/message-of.ts';
import { failedReply, type ToolCall, type ToolReply } from '../../task/tool.ts';
import { CallTarget } from '../page/target.ts';
import { readCall, type Tools } from '../page/tool.ts';
import { untilAborted } from '../until-aborted.ts';
import { describeTabs, type Driver, LIBRARY_TIMEOUT_MS, NAVIGATION_TIMEOUT_MS } from './driver.ts';
import { type LibraryAct, libraryTools, type Wording } from './tools.ts';

/** Longest that a library may keep a call waiting, in ms: what can time out by itself has done so by then. */
const LIMIT_MS = NAVIGATION_TIMEOUT_MS + LIBRARY_TIMEOUT_MS;

/** The tools of a library at work on one browser. */
export class LibrarySession {
  readonly tools: Tools<LibraryAct>;
  readonly #driver: Driver;
  /** The action that a dialog holds up: it goes on when the dialog is answered. */
  #heldUp: Promise<unknown> = Promise.resolve();

  constructor(driver: Driver, words: Wording) {
    this.#driver = driver;
    this.tools = libraryTools(words);
  }

  /** Runs one call. A failure is a reply, never an exception. */
  async call(call: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    // Targets are judged where the replies arrive.
    const read = readCall(this.tools, call, new CallTarget());
    if ('problem' in read) return failedReply(read.problem);
    const { act } = read;
    const { dialogs } = this.#driver;
    if (dialogs.areOpen && !(typeof act === 'object' && 'answersDialog' in act)) {
      return failedReply(`a dialog is open, answer it first with "dialog": ${dialogs.describe()}`);
    }
    try {
      return await untilAborted(signal, this.#run(act, signal));
    } catch (error) {
      return failedReply(messageOf(error));
    }
  }

  async #run(act: LibraryAct, signal: AbortSignal): Promise<ToolReply> {
    if (act === 'look') return await this.#look(signal);
    if ('refused' in act) return failedReply(act.refused);
    const acting = act.run(this.#driver, signal);
    // A look shows the result of an action that was held up.
    if (act.answersDialog === true) await this.#before(Promise.all([acting, this.#heldUp]));
    else {
      this.#heldUp = acting.catch(() => {});
      await this.#before(acting);
    }
    return await this.#lookAfter(signal);
  }

  #before<T>(work: Promise<T>): Promise<T | null> {
    return this.#driver.dialogs.before(work, LIMIT_MS);
  }

  /** Shows the page after something was done, which holds even if it cannot be shown. */
  async #lookAfter(signal: AbortSignal): Promise<ToolReply> {
    try {
      return await this.#look(signal);
    } catch (error) {
      return { ok: true, kind: 'text', text: `done, but the page cannot be seen now: ${messageOf(error)}` };
    }
  }

  async #look(signal: AbortSignal): Promise<ToolReply> {
    const { dialogs } = this.#driver;
    const seen = dialogs.areOpen ? null : await this.#before(this.#describePage(signal));
    return { ok: true, kind: 'text', text: seen ?? `a dialog is open: ${dialogs.describe()}` };
  }

  async #describePage(signal: AbortSignal): Promise<string> {
    const page = await this.#driver.snapshot(signal);
    return `${await describeTabs(this.#driver)}\n\n${page}`;
  }
}
