import type { Page } from 'playwright-core';
import { z } from 'zod';
import { refusedAddress } from '../../browser/url-policy.ts';
import { chooseOption } from './choose-option.ts';
import type { Timing } from './stage.ts';
import { tool } from './tool.ts';
import { type Act, type ElementNames, LOOK, onElement, onTab, type Outcome, type Shown } from './view.ts';

/** Turns the mouse wheel. */
export const Scroll = z.strictObject({
  direction: z.enum(['up', 'down', 'left', 'right']),
  pixels: z.int().min(1).max(10_000),
});
export const Key = z.strictObject({ key: z.string().min(1).describe('For example "Enter" or "Control+A"') });

/** The tools of every surface of ours that shows pages: they act on the tab, not on an element. */
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
    // The root cannot take the focus, so the keys go where it is; and a navigation that they start is waited for.
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
 */
export function elementTools<S extends Shown>(
  key: string,
  name: z.ZodString,
  snapshot: string,
  names: ElementNames<S>,
): typeof PAGE_TOOLS & Record<'snapshot' | 'click' | 'fill' | 'select', ReturnType<typeof tool<z.ZodType, Act<S>>>> {
  const { navigate, back, press, scroll, wait, tabs, dialog } = PAGE_TOOLS;
  const target = { [key]: name };
  const nameIn = (args: Record<string, string>): string => args[key] ?? '';
  return {
    navigate,
    back,
    snapshot: tool(snapshot, z.strictObject({}), (): Act<S> => LOOK),
    click: tool('Click an element.', z.strictObject(target), (args) =>
      onElement(names, nameIn(args), (element, timing) => element.click(timing)),
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
    press,
    scroll,
    wait,
    tabs,
    dialog,
  };
}

export async function turnWheel(page: Page, { direction, pixels }: z.output<typeof Scroll>): Promise<void> {
  const distance = direction === 'down' || direction === 'right' ? pixels : -pixels;
  const isVertical = direction === 'down' || direction === 'up';
  await page.mouse.wheel(isVertical ? 0 : distance, isVertical ? distance : 0);
}

/** Goes one page back, to the point where the server has begun to send it. */
async function goBack(page: Page, timing: Timing): Promise<void> {
  const urlBefore = page.url();
  const response = await page.goBack({ ...timing, waitUntil: 'commit' });
  if (response === null && page.url() === urlBefore) throw new Error('there is no page to go back to');
}

function unless(problem: string | null): Outcome<Shown> {
  return problem === null ? {} : { problem };
}
