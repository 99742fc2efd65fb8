import { NacShown } from './shown.ts';

/** What an agent is shown of a page: where it is, what came of its call, and what the page says of itself as one line of JSON. */
export function shownText(head: readonly string[], shown: NacShown): string {
  return `${head.join('\n')}\n\n${JSON.stringify(shown)}`;
}

/** What the page said of itself, out of a reply; null when there is none in it. */
export function shownIn(text: string): NacShown | null {
  const json = text.slice(text.lastIndexOf('\n\n') + 2);
  if (!json.startsWith('{')) return null;
  try {
    return NacShown.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

/** What a page says stays in its line: it must not look like what stands beside it. */
export function inOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
