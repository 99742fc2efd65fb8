import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { refusedAddress } from '../../browser/url-policy.ts';
import { messageOf } from '../../contract/message-of.ts';
import { failedReply, type ToolDefinition, type ToolReply } from '../../task/tool.ts';
import { untilAborted } from '../until-aborted.ts';
import { LIBRARY_TIMEOUT_MS, type Driver, NAVIGATION_TIMEOUT_MS, POLL_INTERVAL_MS } from './driver.ts';
import { toolDefinitions } from '../page/tools.ts';
import { type LibraryTools, libraryTools, type Wording } from './tools.ts';

/** Longest that a library may keep a call waiting, in ms: what can time out by itself has done so by then. */
const LIMIT_MS = NAVIGATION_TIMEOUT_MS + LIBRARY_TIMEOUT_MS;

/** The tools of a library at work: checks what an agent wants, has the library do it, and tells what there is to see. */
export class LibrarySession {
  readonly tools: readonly ToolDefinition[];
  readonly #driver: Driver;
  readonly #tools: LibraryTools;
  /** The action that a dialog holds up: it goes on when the dialog is answered. */
  #heldUp: Promise<unknown> = Promise.resolve();

  constructor(driver: Driver, words: Wording) {
    this.#driver = driver;
    this.#tools = libraryTools(words);
    this.tools = toolDefinitions(this.#tools);
  }

  /** Runs one call. What goes wrong is a reply, never an exception. */
  async call(tool: string, args: unknown, signal: AbortSignal): Promise<ToolReply> {
    if (!isTool(this.#tools, tool)) {
      return failedReply(`there is no tool "${tool}"; the tools are ${Object.keys(this.#tools).join(', ')}`);
    }
    const parsed = this.#tools[tool].args.safeParse(args);
    if (!parsed.success)
      return failedReply(`the arguments of "${tool}" are not right: ${z.prettifyError(parsed.error)}`);
    const { dialogs } = this.#driver;
    if (dialogs.areOpen && tool !== 'dialog') {
      return failedReply(`a dialog is open, answer it first with "dialog": ${dialogs.describe()}`);
    }
    try {
      return await untilAborted(signal, this.#run(tool, args, signal));
    } catch (error) {
      return failedReply(messageOf(error));
    }
  }

  async #run(tool: keyof LibraryTools, args: unknown, signal: AbortSignal): Promise<ToolReply> {
    if (tool === 'snapshot') return await this.#look(signal);
    if (tool === 'navigate') {
      const refused = refusedAddress(this.#tools.navigate.args.parse(args).url);
      if (refused !== null) return failedReply(refused);
    }
    if (tool === 'dialog') {
      const { action, text } = this.#tools.dialog.args.parse(args);
      const answering = this.#driver.answerDialog(action === 'accept', text);
      await this.#driver.dialogs.before(Promise.all([answering, this.#heldUp]), LIMIT_MS);
    } else {
      const acting = this.#act(tool, args, signal);
      // A look shows the result of an action that was held up.
      this.#heldUp = acting.catch(() => {});
      await this.#driver.dialogs.before(acting, LIMIT_MS);
    }
    return await this.#lookAfter(signal);
  }

  #act(tool: Exclude<keyof LibraryTools, 'snapshot' | 'dialog'>, args: unknown, signal: AbortSignal): Promise<void> {
    const driver = this.#driver;
    const tools = this.#tools;
    switch (tool) {
      case 'navigate':
        return driver.navigate(tools.navigate.args.parse(args).url, signal);
      case 'back':
        return driver.back(signal);
      case 'click':
        return driver.click(tools.click.args.parse(args).selector, signal);
      case 'fill': {
        const { selector, text } = tools.fill.args.parse(args);
        return driver.fill(selector, text, signal);
      }
      case 'select': {
        const { selector, option } = tools.select.args.parse(args);
        return driver.select(selector, option, signal);
      }
      case 'press':
        return driver.press(tools.press.args.parse(args).key);
      case 'wait':
        return this.#waitForText(tools.wait.args.parse(args).text, signal);
      case 'tabs':
        return this.#selectTab(tools.tabs.args.parse(args).index, signal);
    }
  }

  async #waitForText(text: string, signal: AbortSignal): Promise<void> {
    if (await comesTrue(() => this.#driver.shows(text), signal)) return;
    throw new Error(`the text "${text}" did not appear within ${LIBRARY_TIMEOUT_MS} ms`);
  }

  async #selectTab(index: number, signal: AbortSignal): Promise<void> {
    if (!(await comesTrue(async () => index < (await this.#driver.tabs()).length, signal))) {
      throw new Error(`there is no tab ${index}; ${await this.#describeTabs()}`);
    }
    await this.#driver.selectTab(index);
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
    const seen = dialogs.areOpen ? null : await dialogs.before(this.#describePage(signal), LIMIT_MS);
    return { ok: true, kind: 'text', text: seen ?? `a dialog is open: ${dialogs.describe()}` };
  }

  async #describePage(signal: AbortSignal): Promise<string> {
    const page = await this.#driver.snapshot(signal);
    return `${await this.#describeTabs()}\n\n${page}`;
  }

  async #describeTabs(): Promise<string> {
    const tabs = (await this.#driver.tabs()).map(
      ({ url, isCurrent }, index) => `${index}${isCurrent ? ' (current)' : ''}: ${url}`,
    );
    return `Tabs: ${tabs.join(', ')}`;
  }
}

/** Asks again and again whether something is so, for as long as an action may take. */
async function comesTrue(isSo: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const giveUpAt = performance.now() + LIBRARY_TIMEOUT_MS;
  for (;;) {
    if (await isSo()) return true;
    if (signal.aborted || performance.now() >= giveUpAt) return false;
    await sleep(POLL_INTERVAL_MS);
  }
}

function isTool(tools: LibraryTools, name: string): name is keyof LibraryTools {
  return Object.hasOwn(tools, name);
}
