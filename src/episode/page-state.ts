import type { PageState } from '../agent/agent.ts';
import { currentUrl } from '../browser/capture.ts';
import type { ObservedPage, Observer } from '../browser/observer.ts';
import { hashJson } from '../contract/canonical.ts';
import type { EventSink } from './episode-setup.ts';

/** Time limit for the address of a tab, in ms. */
const TIMEOUT_MS = 1_000;

interface Tab {
  url: string;
  dialog: ObservedPage['dialog'];
  isInFront: boolean;
}

/**
 * Reads the browser's state over the judge's own connection, so that no surface can fake it; null while a tab loads or navigates.
 * It holds addresses and dialogs but no text of pages, which changes by itself, so that replays of a transcript agree. It asks the
 * browser and not the pages, whose speed therefore does not matter.
 */
export async function pageStateOf(observer: Observer, contextId: string, sink: EventSink): Promise<PageState | null> {
  const pages = observer.pages(contextId);
  const inFront = observer.activePage(contextId);
  const tabs = await Promise.all(
    pages.map(async (page): Promise<Tab | null> => {
      const url = await addressOf(observer, page);
      // A tab that a page has opened is blank until it navigates.
      if (url === null || page.isLoading || (url === 'about:blank' && pages.length > 1)) return null;
      const { dialog } = page;
      return { url, dialog: dialog === null ? null : { ...dialog }, isInFront: page === inFront };
    }),
  );
  const resting = tabs.filter((tab) => tab !== null);
  if (resting.length < tabs.length) return null;
  const shown = sink.clean(resting);
  return { sha256: hashJson(shown), words: shown.map(inWords).join(', ') };
}

function inWords({ url, dialog, isInFront }: Tab): string {
  const shown = dialog === null ? '' : ` with ${dialog.type} dialog ${JSON.stringify(dialog.message)}`;
  return `${isInFront ? '' : 'behind it '}${url}${shown}`;
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
