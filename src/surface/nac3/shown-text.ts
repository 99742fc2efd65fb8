import { NacShown } from './shown.ts';

/** Reads the page's description of itself out of a reply; null when there is none in it. */
export function shownIn(text: string): NacShown | null {
  const json = text.slice(text.lastIndexOf('\n\n') + 2);
  if (!json.startsWith('{')) return null;
  try {
    return NacShown.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

/** Keeps the words of a page in their line: they must not look like what stands beside them. */
export function inOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
