/** A request that cannot be carried out as given; ends with exit code 2. */
export class UsageError extends Error {
  readonly code = 'usage';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.name = 'UsageError';
    this.remedy = remedy;
  }
}
