import { FactError } from '../messages/fact-error.ts';
import type { QUEUE } from '../messages/queue.ts';

/** A queue, store or worker that cannot be used as asked. */
export class QueueError extends FactError<keyof typeof QUEUE> {
  /** Whether the queue or store itself fails, perhaps only for a while. */
  get isInfrastructure(): boolean {
    return ['queue_unreachable', 'queue_refuses', 'store_unreachable'].includes(this.code);
  }
}
