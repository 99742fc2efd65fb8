import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../plan/package-root.ts';
import { printableLines } from '../report/printable.ts';
import { formatProblem } from '../task/source/source.ts';
import { type LoadedSuite, loadSuite } from '../task/load-suite.ts';
import { SUITE_FILES } from '../task/suite.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Names of the suites that come with the package. */
export function builtInSuites(): string[] {
  return readdirSync(path.join(packageRoot(), 'suites'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

/** Whether a suite is named by its file, as whoever presses Tab once more does. */
export function isSuiteFile(name: string): boolean {
  return SUITE_FILES.includes(path.basename(name));
}

/**
 * The folder of a suite: that of a built-in name, else the folder itself, or the one that its suite file is in.
 * @throws UsageError when there is neither.
 */
export function suiteFolder(name: string): string {
  if (builtInSuites().includes(name)) return path.join(packageRoot(), 'suites', name);
  if (existsSync(name)) return path.resolve(isSuiteFile(name) ? path.dirname(name) : name);
  const known = builtInSuites().join(', ');
  const what = name.includes('/') || name.includes(path.sep) ? 'folder' : 'suite';
  throw new UsageError(`there is no ${what} "${name}"`, `name a built-in suite (${known}) or the folder of your own`);
}

/**
 * Loads suites and prints what they warn of.
 * @throws UsageError holding every problem of every file.
 */
export async function loadSuites(names: readonly string[], terminal: Terminal): Promise<LoadedSuite[]> {
  const results = await Promise.all(names.map((name) => loadSuite(suiteFolder(name))));
  for (const warning of results.flatMap(({ warnings }) => warnings))
    terminal.note(`warning: ${printableLines(formatProblem(relative(warning)))}`);
  const problems = results.flatMap((result) => (result.ok ? [] : result.problems));
  if (problems.length > 0) {
    const lines = problems.map((problem) => formatProblem(relative(problem))).join('\n');
    throw new UsageError(
      `${problems.length} problem${problems.length === 1 ? '' : 's'} in suite files\n${lines}`,
      'mend them and run again',
    );
  }
  return results.flatMap((result) => (result.ok ? [result.suite] : []));
}

/** A problem with its file as seen from the current folder. */
export function relative<T extends { file: string }>(problem: T): T {
  const file = path.relative(process.cwd(), problem.file);
  return { ...problem, file: file === '' ? '.' : file };
}
