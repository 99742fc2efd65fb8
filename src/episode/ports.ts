import type { Evidence } from '../contract/evidence.ts';
import type { EpisodeEvent } from './events.ts';

/** Where an episode writes what happens, at the moment that it happens. */
export interface EventSink {
  event(event: EpisodeEvent): void;
  /** Stores evidence and returns the name (SHA-256) under which it can be found. */
  evidence(moment: 'start' | 'end', evidence: Evidence): Promise<string>;
  /** Stores the trace of the attempt, a zip, and returns the name (SHA-256) under which it can be found. Absent where none is kept. */
  trace?(zip: Buffer): Promise<string>;
}

/** Replaces secrets by placeholders, before anything is judged, hashed or written. */
export interface Redactor {
  text(text: string): string;
  json<T>(value: T): T;
}

/** Where there are none. */
export const NO_SECRETS: Redactor = { text: (text) => text, json: (value) => value };
