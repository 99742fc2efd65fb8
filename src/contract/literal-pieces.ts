/** Every text and number in a value. */
export function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}

/** The plain letters of a pattern, between its signs. */
export function piecesOf(pattern: string | undefined): string[] {
  return pattern?.split(/(?:\\[A-Za-z]|[\\^$.*+?()[\]{}|/])+/) ?? [];
}
