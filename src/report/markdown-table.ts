/** A table of Markdown, the first column to the left and the others to the right; null is a dash. */
export function markdownTable(head: readonly string[], rows: readonly (readonly (string | null)[])[]): string[] {
  const marks = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(head), `|${marks.join('|')}|`, ...rows.map((cells) => line(cells.map((cell) => cell ?? '–')))];
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
