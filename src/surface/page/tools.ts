import { z } from 'zod';
import { JsonObject } from '../../contract/json.ts';
import type { ToolCall, ToolDefinition } from '../../task/tool.ts';
import {
  type CallTarget,
  type Act,
  type ElementNames,
  LOOK,
  onElement,
  onTab,
  type Outcome,
  type Shown,
} from './view.ts';
import type { Page, Locator } from 'playwright-core';
import { refusedAddress } from '../../browser/url-policy.ts';
import { lacksOption, NoSuchOptionError } from './playwright-errors.ts';
import type { GivenFile } from '../../task/given-files.ts';
import type { Timing } from './stage.ts';
import { shortened } from '../../messages/printable.ts';

export interface Tool<Work> {
  description: string;
  args: z.ZodType;
  read(args: unknown): { act: Work } | { error: z.ZodError };
}

export type Tools<Work> = Readonly<Record<string, Tool<Work>>>;

export function tool<Args extends z.ZodType, Work>(
  description: string,
  args: Args,
  act: (args: z.output<Args>) => Work,
): Tool<Work> {
  const read: Tool<Work>['read'] = (given) => {
    const parsed = args.safeParse(given);
    return parsed.success ? { act: act(parsed.data) } : { error: parsed.error };
  };
  return { description, args, read };
}

export function toolDefinitions(tools: Tools<unknown>): ToolDefinition[] {
  return Object.entries(tools).map(([name, { description, args }]) => {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(args, { io: 'input', unrepresentable: 'any' });
    return { name, description, input_schema: JSON.parse(JSON.stringify(schema)) };
  });
}

/** The work of a call, or its problem. Tools, arguments and choices that do not exist count as invented. */
export function readCall<Work>(
  tools: Tools<Work>,
  { tool: name, args }: ToolCall,
  target: CallTarget,
): { act: Work } | { problem: string } {
  const called = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (called === undefined) {
    target.invented(['tool']);
    return { problem: `there is no tool "${name}"; the tools are ${Object.keys(tools).join(', ')}` };
  }
  const read = called.read(args);
  if ('act' in read) return read;
  target.invented(inventedArguments(read.error));
  return { problem: `the arguments of "${name}" are not right: ${z.prettifyError(read.error)}` };
}

function inventedArguments(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys;
    return issue.code === 'invalid_value' ? [issue.path.join('.')] : [];
  });
}

export const Scroll = z.strictObject({
  direction: z.enum(['up', 'down', 'left', 'right']),
  pixels: z.int().min(1).max(10_000),
});
export const Key = z.strictObject({ key: z.string().min(1).describe('For example "Enter" or "Control+A"') });

/** The tools of all our surfaces that act on the tab. */
export const PAGE_TOOLS = {
  navigate: tool(
    'Open an address in the current tab.',
    z.strictObject({ url: z.string().min(1).describe('The address in full, for example https://example.com/') }),
    ({ url }): Act<Shown> => {
      const refused = refusedAddress(url);
      return refused === null
        ? onTab((page, timing) => page.goto(url, { ...timing, waitUntil: 'commit' }), { loaded: 'load' })
        : { run: () => Promise.resolve({ problem: refused }) };
    },
  ),
  back: tool('Go back one page in the history of the current tab.', z.strictObject({}), () =>
    onTab(goBack, { loaded: 'load' }),
  ),
  press: tool('Press a key, or keys together, in the current tab.', Key, ({ key }) =>
    // The root cannot take the focus, so the keys go to the focused element, and Playwright waits for a navigation.
    onTab((page, timing) => page.locator(':root').press(key, timing)),
  ),
  scroll: tool('Scroll the current tab.', Scroll, (how) => onTab((page) => turnWheel(page, how))),
  wait: tool(
    'Wait until a text is visible in the current tab, at most five seconds.',
    z.strictObject({ text: z.string().min(1) }),
    ({ text }): Act<Shown> => ({
      run: async ({ stage, signal }) => {
        await stage.waitForText(text, signal);
        return {};
      },
    }),
  ),
  tabs: tool(
    'Select or close a tab. Tabs count from 0 in the order in which they were opened.',
    z.strictObject({ action: z.enum(['select', 'close']), index: z.int().min(0) }),
    (args): Act<Shown> => ({
      despiteDialog: true,
      run: async ({ stage, target, tabsShown }) => {
        const wasShown = args.index < tabsShown;
        const isThere = args.index < stage.tabCount;
        target.located({ shown: wasShown, matched_then: wasShown ? 1 : 0, matched_now: isThere ? 1 : 0 });
        const problem = await stage.changeTab(args);
        if (isThere) target.learn({ actionable: problem === null, dispatched: problem === null });
        return unless(problem);
      },
    }),
  ),
  dialog: tool(
    'Answer the dialog that is open.',
    z.strictObject({
      action: z.enum(['accept', 'dismiss']),
      text: z.string().optional().describe('What to enter, when the dialog asks for text'),
    }),
    (args): Act<Shown> => ({
      despiteDialog: true,
      run: async ({ stage }) => unless(await stage.answerDialog(args)),
    }),
  ),
};

/**
 * The tools of a surface that shows pages and acts on elements.
 * @param key the argument that names an element
 * @param snapshot describes what the agent is shown
 * @param files can be uploaded by one more tool; empty if the task gives none
 */
export function elementTools<S extends Shown>(
  key: string,
  name: z.ZodString,
  snapshot: string,
  names: ElementNames<S>,
  files: readonly GivenFile[],
): typeof PAGE_TOOLS & Record<ElementTool, ReturnType<typeof tool<z.ZodType, Act<S>>>> {
  const { navigate, back, press, scroll, wait, tabs, dialog } = PAGE_TOOLS;
  const target = { [key]: name };
  const nameIn = (args: Record<string, string>): string => args[key] ?? '';
  const pointer = (description: string, act: (element: Locator, timing: Timing) => Promise<void>) =>
    tool(description, z.strictObject(target), (args) => onElement(names, nameIn(args), act));
  return {
    navigate,
    back,
    snapshot: tool(snapshot, z.strictObject({}), (): Act<S> => LOOK),
    click: pointer('Click an element.', (element, timing) => element.click(timing)),
    double_click: pointer('Click an element twice.', (element, timing) => element.dblclick(timing)),
    right_click: pointer('Click an element with the right mouse button.', (element, timing) =>
      element.click({ ...timing, button: 'right' }),
    ),
    hover: pointer('Move the mouse over an element.', (element, timing) => element.hover(timing)),
    drag: tool(
      'Drag an element and drop it on another.',
      z.strictObject({ ...target, to: name.describe('The other element, named in the same way') }),
      ({ to, ...args }) =>
        onElement(
          names,
          nameIn(args),
          (element, timing, drop) => element.dragTo(drop, { ...timing, steps: DRAG_STEPS }),
          to,
        ),
    ),
    fill: tool(
      'Replace the content of a text field.',
      z.strictObject({ ...target, text: z.string().describe('The new content') }),
      ({ text, ...args }) => onElement(names, nameIn(args), (element, timing) => element.fill(text, timing)),
    ),
    select: tool(
      'Choose an option of a drop-down list.',
      z.strictObject({ ...target, option: z.string().min(1).describe('The visible text of the option') }),
      ({ option, ...args }) =>
        onElement(names, nameIn(args), (element, timing) => chooseOption(element, option, timing)),
    ),
    ...(files.length === 0 ? {} : { upload: uploadTool(target, names, nameIn, files) }),
    press,
    scroll,
    wait,
    tabs,
    dialog,
  };
}

function uploadTool<S extends Shown>(
  target: Record<string, z.ZodString>,
  names: ElementNames<S>,
  nameIn: (args: Record<string, string>) => string,
  files: readonly GivenFile[],
) {
  const Name = z.enum(files.map(({ name }) => name));
  return tool(
    'Give files to a file field, to its label, or to what opens the file chooser.',
    z.strictObject({ ...target, files: z.array(Name).min(1) }),
    ({ files: chosen, ...args }) => {
      const given = chosen
        .flatMap((each) => files.filter(({ name }) => name === each))
        .map(({ name, bytes }) => ({ name, mimeType: '', buffer: bytes }));
      return onElement(names, nameIn(z.record(z.string(), z.string()).parse(args)), (element, timing) =>
        giveFiles(element, given, timing),
      );
    },
  );
}

/** Fills a file field, even a hidden one, and clicks anything else, which has to open a file chooser. */
export async function giveFiles(element: Locator, files: GivenToField, timing: Timing): Promise<void> {
  if ((await element.getAttribute('type', timing))?.toLowerCase() === 'file') {
    if (await element.isDisabled(timing)) throw new Error('element is not enabled');
    await element.setInputFiles(files, timing);
    return;
  }
  const opened = element.page().waitForEvent('filechooser', timing);
  // The click may fail first.
  opened.catch(() => {});
  await element.click(timing);
  await (await opened).setFiles(files, timing);
}

/** Paths, or names with contents. */
type GivenToField = string[] | { name: string; mimeType: string; buffer: Buffer }[];

type ElementTool = 'snapshot' | 'click' | 'double_click' | 'right_click' | 'hover' | 'drag' | 'fill' | 'select';

/** Pages that listen to the mouse want to see it move. */
const DRAG_STEPS = 5;

export async function turnWheel(page: Page, { direction, pixels }: z.output<typeof Scroll>): Promise<void> {
  const distance = direction === 'down' || direction === 'right' ? pixels : -pixels;
  const isVertical = direction === 'down' || direction === 'up';
  await page.mouse.wheel(isVertical ? 0 : distance, isVertical ? distance : 0);
}

async function goBack(page: Page, timing: Timing): Promise<void> {
  const urlBefore = page.url();
  const response = await page.goBack({ ...timing, waitUntil: 'commit' });
  if (response === null && page.url() === urlBefore) throw new Error('there is no page to go back to');
}

function unless(problem: string | null): Outcome<Shown> {
  return problem === null ? {} : { problem };
}

/** Longest list of tools, as JSON, in UTF-16 code units: a model is given it with each turn. */
const MAX_LENGTH = 4 * 1024 * 1024;

const MAX_TOOLS = 1_000;

/** Checks a foreign list of tools, first their number, since each takes time. @throws Error when there are too many, or the list is too long */
export function checkedTools(
  listed: readonly { name: string; description?: string | undefined; inputSchema?: unknown }[],
  schema: { parse: (given: unknown) => JsonObject } = JsonObject,
): readonly ToolDefinition[] {
  if (listed.length > MAX_TOOLS) throw new Error(`its list has ${listed.length} tools, more than ${MAX_TOOLS}`);
  const tools = listed.map(({ name, description = '', inputSchema }) => {
    return { name, description, input_schema: schema.parse(inputSchema) };
  });
  const { length } = JSON.stringify(tools);
  if (length <= MAX_LENGTH) return tools;
  throw new Error(`its list of tools has ${length} characters, more than ${MAX_LENGTH}`);
}

const MAX = { options: 12, characters: 60 };

async function chooseOption(list: Locator, option: string, timing: Timing): Promise<void> {
  try {
    await list.selectOption({ label: option }, timing);
  } catch (error) {
    if (!lacksOption(error)) throw error;
    throw new NoSuchOptionError(`there is no option "${option}"; ${await optionsOf(list, timing)}`, { cause: error });
  }
}

async function optionsOf(list: Locator, timing: Timing): Promise<string> {
  const options = list.locator('option');
  try {
    const count = await options.count();
    const names: string[] = [];
    // One after the other, since each listens to the signal.
    for (let at = 0; at < Math.min(count, MAX.options); at += 1) {
      const each = options.nth(at);
      names.push((await each.getAttribute('label', timing)) ?? (await each.textContent(timing)) ?? '');
    }
    return optionsText(names, count);
  } catch {
    // The page may have gone.
    return 'its options could not be read';
  }
}

/** Lists options, as many as fit a sentence. @param count of all, if not all are given */
export function optionsText(names: readonly string[], count = names.length): string {
  const shown = names
    .slice(0, MAX.options)
    .map((name) => `"${shortened(name.replaceAll(/\s+/g, ' ').trim(), MAX.characters)}"`);
  if (shown.length === 0) return 'it has none';
  const more = count - shown.length;
  return `it has ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}
