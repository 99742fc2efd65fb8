import type { Entrant } from '../claim/figures.ts';

/** Name an entrant in a sentence. */
export function entrantText({ agent, surface }: Entrant): string {
  return `${agent} through ${surface}`;
}
