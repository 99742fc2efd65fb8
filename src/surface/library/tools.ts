import { z } from 'zod';
import { refusedAddress } from '../../browser/url-policy.ts';
import { type Tool, tool, type Tools } from '../page/tool.ts';
import { comesTrue, describeTabs, type Driver, LIBRARY_TIMEOUT_MS } from './driver.ts';

/** The words on tools that differ from library to library. */
export interface Wording {
  /** Describes what `snapshot` shows. */
  snapshot: string;
  /** Which selectors there are, and how they come from a snapshot. */
  selector: string;
  /** Names what `option` is compared with. */
  option: string;
  /** Describes what becomes of a tab that a page opens. */
  newTab: string;
  /** Describes how the agent learns of a dialog. */
  dialog: string;
}

/** The work of a call: a look, or something done, after which the tab is shown. */
export type LibraryAct =
  | 'look'
  | { refused: string }
  | { run: (driver: Driver, signal: AbortSignal) => Promise<void>; answersDialog?: true };

/** The ten tools that every library has. */
export function libraryTools(words: Wording): Tools<LibraryAct> {
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
    back: acting('Go back one page in the history of the current tab.', {}, (driver, _args, signal) =>
      driver.back(signal),
    ),
    snapshot: tool(words.snapshot, z.strictObject({}), () => 'look'),
    click: acting('Click an element.', { selector }, (driver, args, signal) => driver.click(args.selector, signal)),
    fill: acting(
      'Replace the content of a text field.',
      { selector, text: z.string().describe('The new content') },
      (driver, args, signal) => driver.fill(args.selector, args.text, signal),
    ),
    select: acting(
      'Choose an option of a drop-down list.',
      { selector, option: z.string().min(1).describe(words.option) },
      (driver, args, signal) => driver.select(args.selector, args.option, signal),
    ),
    press: acting(
      'Press a key, or keys together, wherever the focus is in the current tab.',
      { key: z.string().min(1).max(100).describe('For example "Enter" or "Control+A"') },
      (driver, { key }) => driver.press(key),
    ),
    wait: acting(
      'Wait until the current tab shows a text, at most five seconds.',
      { text: z.string().min(1) },
      waitForText,
    ),
    tabs: acting(
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
      ({ action, text }) => ({ run: (driver) => driver.answerDialog(action === 'accept', text), answersDialog: true }),
    ),
  };
}

function acting<Shape extends z.ZodRawShape>(
  description: string,
  args: Shape,
  run: (driver: Driver, args: z.output<z.ZodObject<Shape>>, signal: AbortSignal) => Promise<void>,
): Tool<LibraryAct> {
  return tool(description, z.strictObject(args), (given) => ({ run: (driver, signal) => run(driver, given, signal) }));
}

async function waitForText(driver: Driver, { text }: { text: string }, signal: AbortSignal): Promise<void> {
  if (await comesTrue(() => driver.shows(text), signal)) return;
  throw new Error(`the text "${text}" did not appear within ${LIBRARY_TIMEOUT_MS} ms`);
}

async function selectTab(driver: Driver, { index }: { index: number }, signal: AbortSignal): Promise<void> {
  if (!(await comesTrue(async () => index < (await driver.tabs()).length, signal))) {
    throw new Error(`there is no tab ${index}; ${await describeTabs(driver)}`);
  }
  await driver.selectTab(index);
}
