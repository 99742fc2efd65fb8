/** Values, some of which may not be known. */
type Values = readonly (number | null)[] | Float64Array;

/** The quantile of the values that are known, by linear interpolation between neighbours (Hyndman and Fan's type 7); null when there is none. */
export function quantile(values: Values, part: number): number | null {
  // Numbers side by side: of a million, lists and their copies would take several times as much.
  const room = new Float64Array(values.length);
  let count = 0;
  for (const value of values) if (value !== null) room[count++] = value;
  const known = room.subarray(0, count).toSorted();
  const at = (known.length - 1) * part;
  const lower = known[Math.floor(at)];
  const upper = known[Math.ceil(at)];
  return lower === undefined || upper === undefined ? null : lower + (upper - lower) * (at - Math.floor(at));
}

export function median(values: Values): number | null {
  return quantile(values, 0.5);
}
