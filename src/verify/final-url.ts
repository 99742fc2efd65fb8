import type { Row } from '../bundle/row.ts';
import type { Evidence } from '../contract/evidence.ts';

/**
 * Whether the address that a row ends with is that of the page in its evidence. A page that did not come to rest may have
 * gone on after it was captured, and one whose address was not captured says nothing. Where no page is left there is none.
 */
export function isFinalUrl({ final_url: said, unsettled }: Row, { pages, last_active: active }: Evidence): boolean {
  if (unsettled === false && pages.length === 0) return said === '';
  const page = pages.find(({ id }) => id === active);
  if (unsettled !== false || page?.url.captured !== true) return true;
  return said === page.url.value;
}
