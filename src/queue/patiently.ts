import { setTimeout } from 'node:timers/promises';
import { QueueError } from './queue-error.ts';

/** Waits before each further try, in ms: half a minute in all, which is what a store may take to come back. */
const WAITS_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000];

/**
 * Does what may fail because a place is out of reach for a while, until it is done.
 * @throws what the last try threw; at once where that is a QueueError, as a store that throws one has been patient itself
 */
export async function patiently<T>(act: () => Promise<T>, waits: readonly number[] = WAITS_MS): Promise<T> {
  const [wait, ...rest] = waits;
  try {
    return await act();
  } catch (error) {
    if (wait === undefined || error instanceof QueueError) throw error;
    await setTimeout(wait);
    return await patiently(act, rest);
  }
}
