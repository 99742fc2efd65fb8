import { currentUrl } from './capture.ts';
import type { ObservedPage, Observer } from './observer.ts';

/** Time that a tab may take to tell where it is, in ms. */
const TIMEOUT_MS = 1_000;

/** A tab that is on its way nowhere. */
export interface RestingTab {
  url: string;
  dialog: ObservedPage['dialog'];
  isInFront: boolean;
}

/**
 * The tabs of a context, in the order in which they were opened; null while one of them loads, or is on its way to another
 * address. Costs one question to each tab, and asks no page: so it is the same however long a page takes to draw itself.
 */
export async function tabsAtRest(observer: Observer, contextId: string): Promise<RestingTab[] | null> {
  const pages = observer.pages(contextId);
  const inFront = observer.activePage(contextId);
  const tabs = await Promise.all(
    pages.map(async (page) => {
      const url = await addressOf(observer, page);
      // A tab that a page has opened shows this before it goes anywhere.
      if (url === null || page.isLoading || (url === 'about:blank' && pages.length > 1)) return null;
      return { url, dialog: page.dialog, isInFront: page === inFront };
    }),
  );
  const resting = tabs.filter((tab) => tab !== null);
  return resting.length === tabs.length ? resting : null;
}

async function addressOf({ cdp }: Observer, page: ObservedPage): Promise<string | null> {
  const { sessionId } = page;
  try {
    const url = currentUrl(
      await cdp.send('Page.getNavigationHistory', undefined, { sessionId, timeoutMs: TIMEOUT_MS }),
      page,
    );
    return url.captured ? url.value : null;
  } catch {
    return null;
  }
}
