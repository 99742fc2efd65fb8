/** A world that cannot rise; `remedy` says what the author of a suite can do about it. */
export class WorldError extends Error {
  readonly code:
    | 'bad_app'
    | 'app_not_installed'
    | 'app_not_kept_apart'
    | 'cannot_install'
    | 'no_archive'
    | 'bad_archive'
    | 'bad_facsimile'
    | 'cannot_record';
  readonly remedy: string;

  constructor(code: WorldError['code'], message: string, remedy: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'WorldError';
    this.code = code;
    this.remedy = remedy;
  }
}
