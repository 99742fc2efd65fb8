import { FactError } from '../messages/fact-error.ts';
import type { WORLD } from '../messages/world.ts';

/** A world that cannot be raised or recorded; `remedy` is for the author of a suite. */
export class WorldError extends FactError<keyof typeof WORLD> {}
