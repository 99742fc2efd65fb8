/** Longest message, in UTF-16 code units. */
const MAX_LENGTH = 4_000;

/** The message of an error. Never throws: entrants throw anything. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, MAX_LENGTH);
  } catch {
    return 'something without a message was thrown';
  }
}
