import type { Fact } from '../../messages/message.ts';
import { fact, messageFor } from '../../messages/messages.ts';
import type { Parsed, Path, Problem } from '../../contract/validation/problem.ts';

/** Counted from 1; null if unknown. */
export interface Position {
  line: number | null;
  column: number | null;
}

export interface FileProblem extends Problem, Position {
  file: string;
}

/** The value of a file, and the place of each part. */
export interface Source {
  value: unknown;
  placeOf: (path: Path) => Position;
}

/** A problem that keeps a file from being read. */
export interface SourceProblem extends Problem, Position {}

export type ReadSource = Parsed<Source, SourceProblem>;

export const NOWHERE: Position = { line: null, column: null };

export function unreadable(what: Fact): { ok: false; problems: SourceProblem[] } {
  return { ok: false, problems: [{ ...NOWHERE, path: [], what }] };
}

/** Adds places to problems, and sorts by them. */
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

/** A path as `success.children[0].pattern`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    if (!/^[\w-]+$/.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** A clause as authors find it in a file: `success.children[0]` for `success.children.0` in rows and mutants. */
export function withIndices(path: string): string {
  return path.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
}

export interface TextFault {
  offset: number;
  what: Fact;
}

/** The value of a text and the offsets of its parts, or all its faults. */
export type ReadText =
  | { ok: true; value: unknown; offsetOf: (path: Path) => number }
  | { ok: false; faults: readonly TextFault[] };

export function repeatedFields(fields: readonly { name: unknown; offset: number }[]): TextFault[] {
  const names = new Set<unknown>();
  return fields.flatMap(({ name, offset }) => {
    if (names.has(name)) return [{ offset, what: fact('field_repeated') }];
    names.add(name);
    return [];
  });
}

/** Offsets and values of the entries of a list or the fields of a map. */
export type Entries<Node> = ReadonlyMap<string, { offset: number; node: Node | null }>;

/**
 * Finds the offset of a path or, if it is missing, of the nearest thing around it. Remembers the entries of each list and map,
 * so that many problems cost no more than a few.
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
