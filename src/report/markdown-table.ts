/**
 * A table of Markdown; null is a dash.
 * @param names how many columns, the first ones, stand to the left; the others to the right.
 */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | null)[])[],
  names = 1,
): string[] {
  const marks = head.map((_, index) => (index < names ? '---' : '---:'));
  return [line(head), `|${marks.join('|')}|`, ...rows.map((cells) => line(cells.map((cell) => cell ?? '–')))];
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
