/** An error that also says what a user can do about it. */
export abstract class RemediedError<Code extends string> extends Error {
  readonly code: Code;
  readonly remedy: string;

  constructor(code: Code, message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = new.target.name;
    this.code = code;
    this.remedy = remedy;
  }
}
