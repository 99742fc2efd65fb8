import type { Parsed, Path, Problem } from '../../contract/validation/problem.ts';

/** A place in a file, counted from 1; null where it is not known. */
export interface Position {
  line: number | null;
  column: number | null;
}

/** A problem and the place in a file where it stands. */
export interface FileProblem extends Problem, Position {
  file: string;
}

/** The value of a file, and where in it each part stands. */
export interface Source {
  value: unknown;
  placeOf: (path: Path) => Position;
}

/** A fault that keeps a file from being read at all. */
export interface SourceProblem extends Problem, Position {}

export type ReadSource = Parsed<Source, SourceProblem>;

export const NOWHERE: Position = { line: null, column: null };

/** The answer for a file in which no place can be named. */
export function unreadable(message: string): { ok: false; problems: SourceProblem[] } {
  return { ok: false, problems: [{ ...NOWHERE, path: [], message }] };
}

/** Names the place in the file for problems that were found in its value, in the order in which one meets them there. */
export function inFile(file: string, source: Source, problems: readonly Problem[]): FileProblem[] {
  return problems
    .map(({ path, message }) => ({ file, ...source.placeOf(path), path, message }))
    .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** One line that editors can jump from: `suites/x/task.yaml:12:5 success.children[0].contain: unknown field; …`. */
export function formatProblem({ file, line, column, path, message }: FileProblem): string {
  const place = line === null ? file : `${file}:${line}:${column ?? 1}`;
  const field = formatPath(path);
  return field === '' ? `${place}: ${message}` : `${place} ${field}: ${message}`;
}

/** A path as people write it: `success.children[0].pattern`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    if (!/^[\w-]+$/.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** The place of a clause as an author finds it in a file: `success.children[0]`, where rows and mutants say `success.children.0`. */
export function withIndices(path: string): string {
  return path.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
}

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
