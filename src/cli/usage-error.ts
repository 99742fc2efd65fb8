import type { Fact } from '../messages/message.ts';
import { FactError } from '../messages/fact-error.ts';
import { fact } from '../messages/messages.ts';

/** A request that cannot be carried out as given; ends with exit code 2. */
export class UsageError extends FactError {
  constructor(given: Fact | string, remedy = '') {
    super(typeof given === 'string' ? fact('bad_request', { message: given, remedy }) : given);
  }
}
