import type { Fact } from '../../messages/message.ts';
import { fact, messageFor } from '../../messages/messages.ts';
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
export function unreadable(what: Fact): { ok: false; problems: SourceProblem[] } {
  return { ok: false, problems: [{ ...NOWHERE, path: [], what }] };
}

/** Names the place in the file for problems that were found in its value, in the order in which one meets them there. */
export function inFile(file: string, source: Source, problems: readonly Problem[]): FileProblem[] {
  return problems
    .map((problem) => ({ ...problem, file, ...source.placeOf(problem.path) }))
    .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** One line that editors can jump from: `suites/x/task.yaml:12:5 success.children[0].contain: unknown field; …`. */
export function formatProblem({ file, line, column, path, what, instance }: FileProblem): string {
  const place = line === null ? file : `${file}:${line}:${column ?? 1}`;
  const field = formatPath(path);
  const message = `${messageFor(what)}${instance === undefined ? '' : ` (in instance "${instance}")`}`;
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

/** A fault at an offset of a text. */
export interface TextFault {
  offset: number;
  what: Fact;
}

/** The value of a text, and the offset of each part of it; or every fault in the text. */
export type ReadText =
  | { ok: true; value: unknown; offsetOf: (path: Path) => number }
  | { ok: false; faults: readonly TextFault[] };

/** The second and each further field of a map that has the name of an earlier one. */
export function repeatedFields(fields: readonly { name: unknown; offset: number }[]): TextFault[] {
  const names = new Set<unknown>();
  return fields.flatMap(({ name, offset }) => {
    if (names.has(name)) return [{ offset, what: fact('field_repeated') }];
    names.add(name);
    return [];
  });
}

/** The entries of a list or the fields of a map: where each begins, and its value. */
export type Entries<Node> = ReadonlyMap<string, { offset: number; node: Node | null }>;

/**
 * Finds the offset of a path: its own key or entry or, if it is missing, the nearest thing around it. Remembers the entries of
 * each list and map, so that many problems cost no more than a few.
 */
export function offsetsIn<Node extends object>(
  root: { offset: number; node: Node | null },
  entriesIn: (node: Node) => Entries<Node>,
): (path: Path) => number {
  const known = new Map<Node, Entries<Node>>();
  const entriesOf = (node: Node): Entries<Node> => {
    const entries = known.get(node) ?? entriesIn(node);
    known.set(node, entries);
    return entries;
  };
  return (path) => {
    let { offset, node } = root;
    for (const part of path) {
      const found = node === null ? undefined : entriesOf(node).get(String(part));
      if (found === undefined) return offset;
      ({ offset, node } = found);
    }
    return offset;
  };
}
