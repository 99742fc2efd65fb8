const END = '<!-- to here -->\n';

/** Replaces the part of a page between `<!-- drawn by <source> -->` and the next `<!-- to here -->`. */
export function withDrawnPart(page: string, source: string, part: string): string {
  const mark = `<!-- drawn by ${source} -->\n`;
  const begin = page.indexOf(mark);
  const end = page.indexOf(END, begin);
  if (begin === -1 || end === -1) throw new Error(`the page has no part that is drawn by ${source}`);
  return `${page.slice(0, begin + mark.length)}\n${part}\n${page.slice(end)}`;
}
