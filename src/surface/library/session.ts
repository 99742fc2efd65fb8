import path from 'node:path';
import { z } from 'zod';
import { refusedAddress } from '../../browser/url-policy.ts';
import { messageOf } from '../../contract/message-of.ts';
import { failedReply, type ToolCall, type ToolReply } from '../../task/tool.ts';
import { CallTarget } from '../page/view.ts';
import { readCall, type Tools, type Tool, tool } from '../page/tools.ts';
import { untilAborted } from '../until-aborted.ts';
import {
  type Driver,
  type Pointing,
  LIBRARY_TIMEOUT_MS,
  NAVIGATION_TIMEOUT_MS,
  pollUntil,
  type ToolWords,
} from './driver.ts';

/** Time limit of a call, in ms: all work with its own time limit has ended by then. */
const LIMIT_MS = NAVIGATION_TIMEOUT_MS + LIBRARY_TIMEOUT_MS;

export class LibrarySession {
  readonly tools: Tools<LibraryAct>;
  readonly #driver: Driver;
  /** Held up by a dialog until it is answered. */
  #heldUp: Promise<unknown> = Promise.resolve();

  /** @param files paths of those that the task gives, for one more tool */
  constructor(driver: Driver, words: ToolWords, files: readonly string[]) {
    this.#driver = driver;
    this.tools = libraryTools(words, files);
  }

  /** Runs one call. A failure is a reply, never an exception. */
  async call(call: ToolCall, signal: AbortSignal): Promise<ToolReply> {
    // Targets are judged where the replies arrive.
    const read = readCall(this.tools, call, new CallTarget());
    if ('problem' in read) return failedReply(read.problem);
    const { act } = read;
    const open = describeDialogs(this.#driver);
    if (open !== null && !('answersDialog' in act)) {
      return failedReply(`a dialog is open, answer it first with "dialog": ${open}`);
    }
    try {
      return await untilAborted(signal, this.#run(act, signal));
    } catch (error) {
      return failedReply(messageOf(error));
    }
  }

  async #run(act: LibraryAct, signal: AbortSignal): Promise<ToolReply> {
    if ('look' in act) return await this.#look(signal, act.look === 'all');
    if ('refused' in act) return failedReply(act.refused);
    const acting = act.run(this.#driver, signal);
    // A later look shows the result of an action that is held up.
    if (act.answersDialog === true) await this.#before(Promise.all([acting, this.#heldUp]));
    else {
      this.#heldUp = acting.catch(() => {});
      await this.#before(acting);
    }
    try {
      return await this.#look(signal);
    } catch (error) {
      return { ok: true, kind: 'text', text: `done, but the page cannot be seen now: ${messageOf(error)}` };
    }
  }

  #before<T>(work: Promise<T>): Promise<T | null> {
    return this.#driver.dialogs.before(work, LIMIT_MS);
  }

  async #look(signal: AbortSignal, all = false): Promise<ToolReply> {
    const seen = describeDialogs(this.#driver) === null ? await this.#before(this.#describePage(signal, all)) : null;
    return {
      ok: true,
      kind: 'text',
      text: seen ?? `a dialog is open: ${describeDialogs(this.#driver) ?? 'it has been closed'}`,
    };
  }

  async #describePage(signal: AbortSignal, all: boolean): Promise<string> {
    const page = await this.#driver.snapshot(signal, all);
    return `${await describeTabs(this.#driver)}\n\n${page}`;
  }
}

async function describeTabs(driver: Driver): Promise<string> {
  const tabs = (await driver.tabs()).map(
    ({ url, isCurrent }, index) => `${index}${isCurrent ? ' (current)' : ''}: ${url}`,
  );
  return `Tabs: ${tabs.join(', ')}`;
}

function describeDialogs({ dialogs }: Driver): string | null {
  const { tabs } = dialogs;
  return tabs.length === 0 ? null : tabs.map((tab) => dialogs.describe(tab)).join('\n');
}

async function answerDialog(driver: Driver, accept: boolean, text: string | undefined): Promise<void> {
  if (driver.answerDialog !== undefined) return await driver.answerDialog(accept, text);
  const [first = {}] = driver.dialogs.tabs;
  await driver.dialogs.answer(first, accept, text);
}

type LibraryAct =
  | { look: 'usual' | 'all' }
  | { refused: string }
  | { run: (driver: Driver, signal: AbortSignal) => Promise<void>; answersDialog?: true };

function libraryTools(words: ToolWords, files: readonly string[]): Tools<LibraryAct> {
  const selector = z.string().min(1).max(10_000).describe(words.selector);
  return {
    navigate: tool(
      'Open an address in the current tab.',
      z.strictObject({ url: z.string().min(1).describe('The address in full, for example https://example.com/') }),
      ({ url }) => {
        const refused = refusedAddress(url);
        return refused === null ? { run: (driver, signal) => driver.navigate(url, signal) } : { refused };
      },
    ),
    back: toolThat('Go back one page in the history of the current tab.', {}, (driver, _args, signal) =>
      driver.back(signal),
    ),
    snapshot: snapshotTool(words),
    click: toolThat('Click an element.', { selector }, (driver, args, signal) => driver.click(args.selector, signal)),
    ...pointerTools(selector),
    fill: toolThat(
      'Replace the content of a text field.',
      { selector, text: z.string().describe('The new content') },
      (driver, args, signal) => driver.fill(args.selector, args.text, signal),
    ),
    select: toolThat(
      'Choose an option of a drop-down list.',
      { selector, option: z.string().min(1).describe(words.option) },
      (driver, args, signal) => driver.select(args.selector, args.option, signal),
    ),
    ...(files.length === 0 ? {} : { upload: uploadTool(words.upload, selector, files) }),
    press: toolThat(
      'Press a key, or keys together, wherever the focus is in the current tab.',
      { key: z.string().min(1).max(100).describe('For example "Enter" or "Control+A"') },
      (driver, { key }) => driver.press(key),
    ),
    wait: toolThat(
      'Wait until the current tab shows a text, at most five seconds.',
      { text: z.string().min(1) },
      waitForText,
    ),
    tabs: toolThat(
      `Work on another tab, which comes to the front. A tab that is still opening is waited for, at most five seconds. ${words.newTab}`,
      { index: z.int().min(0).describe('Tabs count from 0 in the order in which they were opened') },
      selectTab,
    ),
    dialog: tool(
      `Answer the dialog that is open. ${words.dialog}`,
      z.strictObject({
        action: z.enum(['accept', 'dismiss']),
        text: z.string().optional().describe('What to enter, when the dialog asks for text'),
      }),
      ({ action, text }) => ({ run: (driver) => answerDialog(driver, action === 'accept', text), answersDialog: true }),
    ),
  };
}

function pointerTools(selector: z.ZodString): Tools<LibraryAct> {
  const pointing = (how: Pointing, description: string) =>
    toolThat(description, { selector }, (driver, args, signal) => driver.point(how, args.selector, signal));
  return {
    double_click: pointing('double_click', 'Click an element twice.'),
    right_click: pointing('right_click', 'Click an element with the right mouse button.'),
    hover: pointing('hover', 'Move the mouse over an element.'),
    drag: toolThat(
      'Drag an element and drop it on another.',
      { selector, to: selector.describe('The other element, named in the same way') },
      (driver, args, signal) => driver.drag(args.selector, args.to, signal),
    ),
    click_at: toolThat(
      'Click at a place of the current tab.',
      {
        x: z.int().min(0).describe('Pixels from the left edge of what the tab shows'),
        y: z.int().min(0).describe('Pixels from its top edge'),
      },
      (driver, { x, y }) => driver.clickAt(x, y),
    ),
  };
}

function snapshotTool({ snapshot, all }: ToolWords): Tool<LibraryAct> {
  if (all === undefined) return tool(snapshot, z.strictObject({}), () => ({ look: 'usual' }));
  const args = z.strictObject({ all: z.boolean().optional().describe(all) });
  return tool(snapshot, args, (given) => ({ look: given.all === true ? 'all' : 'usual' }));
}

function uploadTool(description: string, selector: z.ZodString, files: readonly string[]): Tool<LibraryAct> {
  const Name = z.enum(files.map((file) => path.basename(file)));
  return toolThat(description, { selector, files: z.array(Name).min(1) }, (driver, args, signal) =>
    driver.upload(
      args.selector,
      args.files.flatMap((name) => files.filter((file) => path.basename(file) === name)),
      signal,
    ),
  );
}

function toolThat<Shape extends z.ZodRawShape>(
  description: string,
  args: Shape,
  run: (driver: Driver, args: z.output<z.ZodObject<Shape>>, signal: AbortSignal) => Promise<void>,
): Tool<LibraryAct> {
  return tool(description, z.strictObject(args), (given) => ({ run: (driver, signal) => run(driver, given, signal) }));
}

async function waitForText(driver: Driver, { text }: { text: string }, signal: AbortSignal): Promise<void> {
  if (await pollUntil(() => driver.shows(text), signal)) return;
  throw new Error(`the text "${text}" did not appear within ${LIBRARY_TIMEOUT_MS} ms`);
}

async function selectTab(driver: Driver, { index }: { index: number }, signal: AbortSignal): Promise<void> {
  if (!(await pollUntil(async () => index < (await driver.tabs()).length, signal))) {
    throw new Error(`there is no tab ${index}; ${await describeTabs(driver)}`);
  }
  await driver.selectTab(index);
}
