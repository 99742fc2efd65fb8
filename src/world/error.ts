import { RemediedError } from '../contract/remedied-error.ts';

/** A world that cannot rise; `remedy` says what the author of a suite can do about it. */
export class WorldError extends RemediedError<
  | 'bad_app'
  | 'app_not_installed'
  | 'app_not_kept_apart'
  | 'cannot_install'
  | 'no_archive'
  | 'bad_archive'
  | 'bad_facsimile'
  | 'cannot_record'
> {}
