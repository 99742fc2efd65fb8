import type { PageState } from '../agent/agent.ts';
import type { Observer } from '../browser/observer.ts';
import { tabsAtRest } from '../browser/tabs-at-rest.ts';
import { hashJson } from '../contract/canonical.ts';
import { wellFormedJson } from '../task/well-formed.ts';
import type { EventSink } from './ports.ts';

/**
 * The state of the browser, by the judge's own connection: no surface can fake it. It holds addresses and dialogs and no text
 * of the page, which changes by itself after a call: a digest of it would tell two replays of one transcript apart.
 */
export async function pageStateOf(observer: Observer, contextId: string, sink: EventSink): Promise<PageState | null> {
  const tabs = await tabsAtRest(observer, contextId);
  if (tabs === null) return null;
  const shown = wellFormedJson(
    sink.clean(
      tabs.map(({ url, dialog, isInFront }) => ({ url, dialog: dialog === null ? null : { ...dialog }, isInFront })),
    ),
  );
  return { sha256: hashJson(shown), words: shown.map(inWords).join(', ') };
}

function inWords(tab: { url: string; dialog: { type: string; message: string } | null; isInFront: boolean }): string {
  const dialog = tab.dialog === null ? '' : ` with ${tab.dialog.type} dialog ${JSON.stringify(tab.dialog.message)}`;
  return `${tab.isInFront ? '' : 'behind it '}${tab.url}${dialog}`;
}
