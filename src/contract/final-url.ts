import type { Evidence } from './evidence.ts';

/** Returns the address of the page that was active last; empty where no page is left, null where it was not captured. */
export function finalUrlIn({
  pages,
  pages_missing: why,
  last_active: active,
}: Pick<Evidence, 'pages' | 'pages_missing' | 'last_active'>): string | null {
  if (pages.length === 0) return why === undefined ? '' : null;
  const url = pages.find(({ id }) => id === active)?.url;
  return url?.captured === true ? url.value : null;
}
