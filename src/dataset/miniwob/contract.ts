import type { Contract } from '../../contract/schema.ts';
import { ARRANGED_PAGES } from './arranged-pages.ts';
import { CHOSEN_PAGES } from './chosen-pages.ts';
import { CLICKED_PAGES } from './clicked-pages.ts';
import { EMAIL_PAGES } from './email-pages.ts';
import type { SeenPage } from './seen-page.ts';
import { TYPED_PAGES } from './typed-pages.ts';

/** The page's own reward: in full, in a true event, by the page's own code. */
const WITNESS: Contract[] = [
  { kind: 'app_state', pointer: '/reward/paid', equals: true },
  { kind: 'app_state', pointer: '/reward/event/trusted', equals: true },
  { kind: 'app_state', pointer: '/reward/by_page', equals: true },
];

/** No report of a reward was refused: none was forged, and none came after the first. */
export const GUARDS: Contract = { kind: 'app_state', pointer: '/refused', equals: [] };

/** The contract of a page with one seed, and whether it also judges the document. */
export function contractFor(id: string, seen: SeenPage): { success: Contract; readsDocument: boolean } {
  const shown = DOCUMENTS.get(id)?.(seen) ?? [];
  return { success: { kind: 'and', children: [...shown, ...WITNESS] }, readsDocument: shown.length > 0 };
}

/**
 * By page. The others leave an end that no clause can read: a selection, a focus, a size, a place in pixels, a password, or nothing,
 * since a list closes, the page hides it, or stops the event that `core.js` would mark.
 */
const DOCUMENTS = new Map([...TYPED_PAGES, ...CHOSEN_PAGES, ...CLICKED_PAGES, ...ARRANGED_PAGES, ...EMAIL_PAGES]);
