/** A page in the side bar: its title there, and its file. */
export interface MapItem {
  text: string;
  file: string;
}

/** The pages for one kind of reader. */
export interface MapGroup {
  text: string;
  items: MapItem[];
}

const READERS = '## What do you want to do?';
/** A paragraph that begins with a bold name: of a kind of reader, or of what is looked up. */
const NAMED = /^\*\*([^*]+?)\.?\*\*/;

/** The pages that README offers each kind of reader, in its order; a page is listed where it is named first. */
export function readerGroups(readme: string): MapGroup[] {
  const groups: MapGroup[] = [];
  const seen = new Set<string>();
  for (const line of sectionOf(readme, READERS).split('\n')) {
    const name = NAMED.exec(line)?.[1];
    if (name !== undefined) groups.push({ text: name, items: [] });
    for (const { text, file } of pagesNamedIn(line)) {
      if (seen.has(file)) continue;
      seen.add(file);
      groups.at(-1)?.items.push({ text, file });
    }
  }
  if (groups.length === 0) throw new Error(`README.md has no readers under "${READERS}"`);
  return groups;
}

/** A section of a page, from below its heading to the next one of its level. */
export function sectionOf(page: string, heading: string): string {
  const [, below] = page.split(`\n${heading}\n`);
  if (below === undefined) throw new Error(`README.md has no heading "${heading}"`);
  return below.split(/^## /m, 1)[0] ?? '';
}

/** The title of a page: its first heading. */
export function titleOf(page: string, otherwise: string): string {
  return /^# (.+)$/m.exec(page)?.[1]?.replaceAll('`', '') ?? otherwise;
}

function pagesNamedIn(line: string): MapItem[] {
  const links = [...line.matchAll(/\[([^\]]+)\]\(([^)#\s]+\.md)(?:#[^)\s]*)?\)/g)];
  return links.map(([, text = '', file = '']) => ({ text: capitalised(text), file }));
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
