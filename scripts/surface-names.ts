/** An end through a surface; `share` follows its name. */
export interface Ended {
  surface: string;
  end: string;
  share: string;
}

/** Names the surfaces with this end; the largest group of equal ones, from three, is "all others". */
export function surfacesWith(all: readonly Ended[], end: string): string {
  const groups = new Map<string, number>();
  const groupOf = (each: Ended): string => `${each.end}${each.share}`;
  for (const each of all) groups.set(groupOf(each), (groups.get(groupOf(each)) ?? 0) + 1);
  const [[largest, most] = ['', 0]] = [...groups].toSorted(([, a], [, b]) => b - a);
  const own = all.filter((each) => each.end === end);
  const isOther = (each: Ended): boolean => most > 2 && groupOf(each) === largest;
  const others = own.filter(isOther).map(({ share }) => `all others${share}`);
  const named = own.filter((each) => !isOther(each)).map(({ surface, share }) => `${surface}${share}`);
  return [...named.toSorted(), ...new Set(others)].join(', ');
}
