import type { Evidence } from '../contract/evidence.ts';
import type { EpisodeEvent } from './events.ts';

/** Where an episode writes what happens, at the moment that it happens. It knows the secrets, and nothing else here does. */
export interface EventSink {
  /** Writes an event, with placeholders in the place of secrets. */
  event(event: EpisodeEvent): void;
  /** Replaces the secrets in a text or JSON value that is judged, hashed, cut or handed on before it is written. */
  clean<T>(value: T): T;
  /**
   * Stores evidence, and does not wait for the disk: whoever closes the sink is told if that failed.
   * @throws Error when it is more than can be read again.
   */
  evidence(moment: 'start' | 'end', evidence: Evidence): void;
  /** Stores the trace of the attempt, a zip, and returns the name (SHA-256) under which it can be found. Absent where none is kept. */
  trace?(zip: Buffer): Promise<string>;
  /** Stores a picture of the film, and returns the name (SHA-256) under which it can be found. Absent where none is kept. */
  picture?(jpeg: Buffer): string;
}
