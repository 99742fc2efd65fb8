/** The first case of each kind: a long table is run whole if there is time, and this much of it always. */
export function firstOfEach<C>(cases: readonly C[], kindOf: (each: C) => unknown): C[] {
  const kinds = cases.map(kindOf);
  return cases.filter((_, index) => kinds.indexOf(kinds[index]) === index);
}
