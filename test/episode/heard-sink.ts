import type { Redactor } from '../../src/bundle/redact.ts';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import type { EventSink } from '../../src/episode/episode-setup.ts';
import { NO_SECRETS } from '../bundle/no-secrets.ts';

/** A sink that keeps nothing but what `heard` takes, with the secrets of the redactor replaced as a recorder does. */
export function heardSink(heard: (event: EpisodeEvent) => void = () => {}, redactor: Redactor = NO_SECRETS): EventSink {
  return {
    event: (event) => {
      heard(redactor.json(event));
    },
    clean: redactor.json,
    evidence: () => {},
  };
}
