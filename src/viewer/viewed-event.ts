import { z } from 'zod';
import { isMissing } from '../bundle/errors.ts';
import { readJsonLines } from '../bundle/jsonl.ts';
import type { AttemptLayout } from '../bundle/layout.ts';
import { EpisodeEvent } from '../episode/events.ts';

/** A line of `events.jsonl`: an event that we know, or whatever else stands there. */
export interface ViewedEvent {
  /** Counts from 1. */
  line: number;
  /** Since the attempt began, in ms; null where the line does not say. */
  at: number | null;
  /** Null: of a kind that this version does not know, or no event at all. */
  event: EpisodeEvent | null;
  /** As it stands there. */
  value: unknown;
}

const Envelope = z.looseObject({ at_ms: z.number().optional(), event: z.unknown() });

/**
 * Read what was recorded of an attempt, line by line, unknown events as data: a bundle of a later version is shown as far as it can be.
 * Nothing for an attempt that never ran.
 * @throws BundleError when a line is not JSON.
 */
export async function* viewedEvents({ events }: AttemptLayout): AsyncGenerator<ViewedEvent> {
  try {
    for await (const line of readJsonLines(events)) {
      if (line.torn) return;
      yield viewed(line.number, line.value);
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function viewed(line: number, value: unknown): ViewedEvent {
  const envelope = Envelope.safeParse(value);
  if (!envelope.success) return { line, at: null, event: null, value };
  const { at_ms: at = null, event } = envelope.data;
  return { line, at, event: knownEvent(event), value: event };
}

/** Null too when it is nested deeper than can be checked. */
function knownEvent(event: unknown): EpisodeEvent | null {
  try {
    return EpisodeEvent.safeParse(event).data ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
