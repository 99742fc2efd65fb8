import type { Path, Problem } from '../contract/problem.ts';

/** A problem and the place in a file where it stands; line and column count from 1, null where they are not known. */
export interface FileProblem extends Problem {
  file: string;
  line: number | null;
  column: number | null;
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

/** Problems in the order in which one meets them when reading the file. */
export function inReadingOrder(problems: readonly FileProblem[]): FileProblem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
