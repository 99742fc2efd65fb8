type Code =
  | 'bad_arguments'
  | 'unknown_command'
  | 'unknown_invoice'
  | 'unknown_client'
  | 'unknown_line'
  | 'not_pending'
  | 'unsaved_changes'
  | 'empty_description'
  | 'needs_confirmation';

/** A command that was refused. Nothing has changed. */
export class CommandError extends Error {
  readonly code: Code;
  readonly remedy: string;

  constructor(code: Code, message: string, remedy: string) {
    super(message);
    this.name = 'CommandError';
    this.code = code;
    this.remedy = remedy;
  }
}
