import { RemediedError } from '../../contract/remedied-error.ts';

/** A queue that cannot be used as asked. */
export class QueueError extends RemediedError<'bad_address' | 'not_installed' | 'unreachable' | 'refused'> {}
