import { Entrants } from '../plan/entrants.ts';
import { readPrompt } from './prompts.ts';

/** The agents and surfaces that are known by name, without keys or files of the user's. */
export function knownEntrants(): Promise<Entrants> {
  return Entrants.load({}, { environment: {}, prompt: readPrompt().text, cassettes: null, compatible: [] });
}
