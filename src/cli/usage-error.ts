/** What the user asked for cannot be done as asked; ends with exit code 2. */
export class UsageError extends Error {
  readonly code = 'usage';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.name = 'UsageError';
    this.remedy = remedy;
  }
}
