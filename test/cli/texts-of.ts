/**
 * Joins texts of one kind, each under the name of its case, to be compared with a committed golden file.
 * After a change: `npx vitest run test/cli -u`, and read the difference.
 */
export function textsOf(cases: Readonly<Record<string, readonly string[]>>): string {
  const text = Object.entries(cases).map(([title, lines]) => `== ${title}\n${lines.join('\n')}\n`);
  return text.join('\n').replaceAll(/\b[0-9a-f]{64}\b/g, '‹hash›');
}
