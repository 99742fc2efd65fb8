export function didYouMean(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === null ? '' : `; did you mean "${nearest}"?`;
}

/** The known name that was probably meant; null if none is near. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const most = Math.max(1, Math.floor(name.length / 3));
  const [nearest] = known
    .map((each) => ({ each, far: distance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ far }) => far <= most)
    .toSorted((a, b) => a.far - b.far);
  return nearest?.each ?? null;
}

/** Levenshtein distance. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 0; at < from.length; at += 1) {
    const next = [at + 1];
    for (let index = 0; index < to.length; index += 1) {
      const same = (row[index] ?? 0) + (from[at] === to[index] ? 0 : 1);
      next.push(Math.min(same, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
