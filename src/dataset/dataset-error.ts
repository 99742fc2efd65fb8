import { FactError } from '../messages/fact-error.ts';

/** A checkout, or a record of a run, that cannot be read. */
export class DatasetError extends FactError {}
