/** Longest time between the end of an attempt and its record in the ledger; a slow disk lies between them. */
const ADJACENT_MS = 60_000;
/** By how much a clock may have been set back, as between them. */
export const CLOCK_SET_MS = 1_000;

/** Returns whether the ledger recorded a time when it came, or soon after; both in ms since 1970. */
export function isRecordedInTime(happened: number, recorded: number): boolean {
  const later = recorded - happened;
  return later >= -CLOCK_SET_MS && later <= ADJACENT_MS;
}
