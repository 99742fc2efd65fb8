import type { Locator, Page } from 'playwright-core';
import { refusedAddress } from '../../browser/url-policy.ts';
import { PAGE_TOOLS } from './tools.ts';

/** Time limit of one action of the browser, in ms. */
export const ACTION_TIMEOUT_MS = 5_000;

/** Playwright's own options for an action. */
export interface Timing {
  timeout: number;
  signal: AbortSignal;
}

/** The work of a call in the current tab. */
export type Act =
  | { on: 'tab'; run: (page: Page, timing: Timing) => Promise<unknown> }
  /** To the one element that the call names. */
  | { on: 'element'; name: string; run: (element: Locator, timing: Timing) => Promise<unknown> }
  /** At a place of the picture: whatever is there, the call does not name it. */
  | { on: 'point'; run: (page: Page, timing: Timing) => Promise<unknown> }
  | { refused: string };

/** The tools of every tab that act in the page; the others are about tabs, dialogs and time. */
type TabTool = 'navigate' | 'back' | 'press' | 'scroll';

/** @param args as the tool's own schema has them */
export function actOfTab(tool: TabTool, args: unknown): Extract<Act, { on: 'tab' } | { refused: string }> {
  switch (tool) {
    case 'navigate': {
      const { url } = PAGE_TOOLS.navigate.args.parse(args);
      const refused = refusedAddress(url);
      return refused === null
        ? { on: 'tab', run: (page, timing) => page.goto(url, { ...timing, waitUntil: 'commit' }) }
        : { refused };
    }
    case 'back':
      return { on: 'tab', run: goBack };
    case 'press': {
      const { key } = PAGE_TOOLS.press.args.parse(args);
      // The root cannot take the focus, so the keys go where it is; and a navigation that they start is waited for.
      return { on: 'tab', run: (page, timing) => page.locator(':root').press(key, timing) };
    }
    case 'scroll': {
      const { direction, pixels } = PAGE_TOOLS.scroll.args.parse(args);
      const distance = direction === 'down' || direction === 'right' ? pixels : -pixels;
      const isVertical = direction === 'down' || direction === 'up';
      return { on: 'tab', run: (page) => page.mouse.wheel(isVertical ? 0 : distance, isVertical ? distance : 0) };
    }
  }
}

/** Goes one page back, to the point where the server has begun to send it. */
async function goBack(page: Page, timing: Timing): Promise<void> {
  const urlBefore = page.url();
  const response = await page.goBack({ ...timing, waitUntil: 'commit' });
  if (response === null && page.url() === urlBefore) throw new Error('there is no page to go back to');
}
