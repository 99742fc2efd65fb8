/** A queue that cannot be used as asked. */
export class QueueError extends Error {
  readonly code: 'bad_address' | 'not_installed' | 'unreachable' | 'refused';
  readonly remedy: string;

  constructor(code: QueueError['code'], message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'QueueError';
    this.code = code;
    this.remedy = remedy;
  }
}
