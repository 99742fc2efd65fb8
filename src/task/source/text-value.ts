import type { Path } from '../../contract/validation/problem.ts';

/** Something wrong at an offset of a text. */
export interface TextFault {
  offset: number;
  message: string;
}

/** The value of a text, and at which offset of the text each part of it stands; or everything that is wrong with the text. */
export type ReadText =
  | { ok: true; value: unknown; offsetOf: (path: Path) => number }
  | { ok: false; faults: readonly TextFault[] };

/** Said of the second of two fields of one name. */
export const GIVEN_TWICE = 'this field is given twice; keep one of them';
