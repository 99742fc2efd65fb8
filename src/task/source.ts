import type { Path, Problem } from '../contract/problem.ts';
import type { FileProblem } from './file-problem.ts';

/** A place in a file, counted from 1; null where it is not known. */
export interface Place {
  line: number | null;
  column: number | null;
}

/** What a file holds, and where in it each part stands. */
export interface Source {
  value: unknown;
  placeOf: (path: Path) => Place;
}

/** A fault that keeps a file from being read at all. */
interface SourceProblem extends Place {
  message: string;
}

export type ReadSource = { ok: true; source: Source } | { ok: false; problems: SourceProblem[] };

export const NOWHERE: Place = { line: null, column: null };

/** The answer for a file in which no place can be named. */
export function unreadable(message: string): ReadSource {
  return { ok: false, problems: [{ ...NOWHERE, message }] };
}

/** Names the place in the file for problems that were found in its value. */
export function inFile(file: string, source: Source, problems: readonly Problem[]): FileProblem[] {
  return problems.map(({ path, message }) => ({ file, ...source.placeOf(path), path, message }));
}
