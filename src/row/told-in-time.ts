/** Longest time between the end of an attempt and its record in the ledger; a slow disk lies between them. */
const ADJACENT_MS = 60_000;
/** By how much a clock may have been set back between them. */
const SET_MS = 1_000;

/** Returns whether the ledger was told of a time, in ms since 1970, when it came, or soon after. */
export function isToldInTime(said: number, told: number): boolean {
  const later = told - said;
  return later >= -SET_MS && later <= ADJACENT_MS;
}
