import type { Locator, Page } from 'playwright-core';
import type { Located } from '../page/target.ts';
import type { Found } from '../page/view.ts';
import type { ShownHtml } from './dom.ts';
import { matchesIn } from './matches.ts';
import { parsePath } from './selector.ts';

/** What a selector meant in a document that the agent was shown. */
export function locate(selector: string, shown: ShownHtml | null): Located {
  const parsed = parsePath(selector);
  if (shown === null) return { shown: false, matched_then: null };
  if ('problem' in parsed) return { shown: false, matched_then: 0 };
  const seen = matchesIn(shown.tab, parsed.path, 'shown').filter((element) => shown.written.has(element));
  return { shown: seen.length > 0, matched_then: matchesIn(shown.tab, parsed.path, 'all').length };
}

/** The one element that a selector means now. A selector that matches none or several is an error that says how many. */
export async function find(page: Page, selector: string): Promise<Found> {
  const parsed = parsePath(selector);
  if ('problem' in parsed) return { count: 0, why: parsed.problem };
  let scope: Pick<Page, 'locator'> = page;
  let element: Locator = page.locator(':root');
  for (const step of parsed.path) {
    element = scope.locator(`css=${step}`);
    const count = await countOf(element);
    if (count !== 1) return { count, why: whyNot(step, count) };
    scope = element.contentFrame();
  }
  return { element };
}

async function countOf(element: Locator): Promise<number> {
  try {
    return await element.count();
  } catch (error) {
    // The element left of `>>` owns no frame, or its frame is gone.
    if (error instanceof Error && /frame/i.test(error.message)) return 0;
    throw error;
  }
}

function whyNot(step: string, count: number): string {
  const selector = JSON.stringify(step);
  return count === 0
    ? `no element matches ${selector}; look again, and take a selector from what is there`
    : `${count} elements match ${selector}; write one that matches a single element`;
}
