/** The items in an order that follows from the seed alone (sorted by one Mulberry32 draw each). */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = mulberry32(seed);
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

/** Mulberry32, a small pseudo-random generator by Tommy Ettinger; numbers in [0, 1). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
