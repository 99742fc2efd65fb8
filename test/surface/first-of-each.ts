/** The first case of each kind: a table that is long is tried as a whole where there is time, and so much of it always. */
export function firstOfEach<C>(cases: readonly C[], kindOf: (each: C) => unknown): C[] {
  const kinds = cases.map(kindOf);
  return cases.filter((_, index) => kinds.indexOf(kinds[index]) === index);
}
