import type { Locator, Page } from 'playwright-core';
import { refusedAddress } from '../../browser/url-policy.ts';
import { ARIA_TOOLS, type ArgsOf, type AriaTool } from './tools.ts';

/** How long one action of the browser may take, in ms. */
export const ACTION_TIMEOUT_MS = 5_000;

/** Playwright's own options for an action. */
interface Timing {
  timeout: number;
  signal: AbortSignal;
}

/** Something that is done to the current tab. */
export type Action = (page: Page, timing: Timing) => Promise<unknown>;

/** The tools that act on the page itself, whatever tab it is in. */
export type PageTool = Exclude<AriaTool, 'tabs' | 'dialog' | 'wait'>;

/** The browser's action behind a tool, or why it is refused. */
export function actionOf(tool: PageTool, args: unknown): { run: Action } | { refused: string } {
  switch (tool) {
    case 'navigate': {
      const { url } = ARIA_TOOLS.navigate.args.parse(args);
      const refused = refusedAddress(url);
      return refused === null
        ? { run: (page, timing) => page.goto(url, { ...timing, waitUntil: 'commit' }) }
        : { refused };
    }
    case 'back':
      return { run: goBack };
    case 'snapshot':
      return { run: () => Promise.resolve() };
    case 'click':
      return onElement(ARIA_TOOLS.click.args.parse(args), (element, timing) => element.click(timing));
    case 'fill': {
      const { ref, text } = ARIA_TOOLS.fill.args.parse(args);
      return onElement({ ref }, (element, timing) => element.fill(text, timing));
    }
    case 'select': {
      const { ref, option } = ARIA_TOOLS.select.args.parse(args);
      return onElement({ ref }, (element, timing) => element.selectOption({ label: option }, timing));
    }
    case 'press': {
      const { key } = ARIA_TOOLS.press.args.parse(args);
      // The root cannot take the focus, so the keys go where it is; and a navigation that they start is waited for.
      return { run: (page, timing) => page.locator(':root').press(key, timing) };
    }
    case 'scroll':
      return scrolling(ARIA_TOOLS.scroll.args.parse(args));
  }
}

/** Goes one page back, to the point where the server has begun to send it. */
async function goBack(page: Page, timing: Timing): Promise<void> {
  const urlBefore = page.url();
  const response = await page.goBack({ ...timing, waitUntil: 'commit' });
  if (response === null && page.url() === urlBefore) throw new Error('there is no page to go back to');
}

function onElement(
  { ref }: { ref: string },
  act: (element: Locator, timing: Timing) => Promise<unknown>,
): ReturnType<typeof actionOf> {
  if (!/^(f\d+)?e\d+$/.test(ref)) {
    return { refused: `"${ref}" is not a reference; take one from the latest snapshot, for example "e5"` };
  }
  return {
    run: async (page, timing) => {
      const element = page.locator(`aria-ref=${ref}`);
      if (!(await isThere(element))) {
        throw new Error(`there is no element "${ref}" any more; look again and take a reference from the new snapshot`);
      }
      await act(element, timing);
    },
  };
}

/** Asked first, for an action would wait in vain for an element that is gone. */
async function isThere(element: Locator): Promise<boolean> {
  try {
    return (await element.count()) > 0;
  } catch {
    // A reference into a frame that is gone.
    return false;
  }
}

function scrolling({ direction, pixels }: ArgsOf<'scroll'>): { run: Action } {
  const sign = direction === 'down' || direction === 'right' ? 1 : -1;
  const isVertical = direction === 'down' || direction === 'up';
  return { run: (page) => page.mouse.wheel(isVertical ? 0 : sign * pixels, isVertical ? sign * pixels : 0) };
}
