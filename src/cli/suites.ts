import { fact } from '../messages/messages.ts';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { nearestName } from '../contract/nearest-name.ts';
import { packageRoot } from '../plan/package-root.ts';
import { formatProblem } from '../task/source/source.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { outlineSuite, type SuiteOutline } from '../task/outline.ts';
import { SUITE_FILES } from '../task/suite-file.ts';
import { OWN_FOLDER } from './init/places.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './exit-code.ts';

/** Names of the suites that come with the package. */
export function builtInSuites(): string[] {
  return readdirSync(path.join(packageRoot(), 'suites'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

/**
 * Nothing of an installed package is written: its next version takes it away.
 * @throws UsageError when one of these files lies in it.
 */
export function refuseInstalled(files: readonly string[], root: string = packageRoot()): void {
  if (!root.split(path.sep).includes('node_modules')) return;
  const own = files.find((file) => file.startsWith(root + path.sep));
  if (own === undefined) return;
  throw new UsageError(fact('file_of_package', { file: path.relative(root, own) }));
}

/** Whether a suite is named by its file, as whoever presses Tab once more does. */
export function isSuiteFile(name: string): boolean {
  return SUITE_FILES.includes(path.basename(name));
}

/**
 * The folder of a suite: that of a built-in name, else the folder itself, or the one that its suite file is in; of the
 * folder of an app, the one in which "init" began a suite there.
 * @throws UsageError when there is neither.
 */
export function suiteFolder(name: string): string {
  if (builtInSuites().includes(name)) return path.join(packageRoot(), 'suites', name);
  if (existsSync(name)) return path.resolve(isSuiteFile(name) ? path.dirname(name) : withSuite(name));
  const isFolder = name.includes('/') || name.includes(path.sep);
  const meant = isFolder ? '' : (nearestName(name, builtInSuites()) ?? '');
  throw new UsageError(fact('unknown_suite', { name, folder: isFolder, meant, known: builtInSuites() }));
}

/** A suite as it is typed here: a whole path, to which a campaign file leads, as it is seen from this folder if that is shorter. */
export function suiteToType(name: string): string {
  if (!path.isAbsolute(name)) return name;
  const seen = path.relative('.', name) || '.';
  const plain = builtInSuites().includes(seen) ? `./${seen}` : seen;
  return plain.length < name.length ? plain : name;
}

function hasSuite(folder: string): boolean {
  return SUITE_FILES.some((file) => existsSync(path.join(folder, file)));
}

function withSuite(folder: string): string {
  const begun = path.join(folder, OWN_FOLDER);
  return !hasSuite(folder) && hasSuite(begun) ? begun : folder;
}

/**
 * Loads suites and prints what they warn of.
 * @throws UsageError holding every problem of every file.
 */
export async function loadSuites(names: readonly string[], terminal: Terminal): Promise<LoadedSuite[]> {
  // Whoever only lists what comes with the package needs none of the code that checks a suite.
  const { loadSuite } = await import('../task/load-suite.ts');
  const results = await Promise.all(names.map((name) => loadSuite(suiteFolder(name))));
  for (const warning of results.flatMap(({ warnings }) => warnings))
    terminal.note(`warning: ${formatProblem(relative(warning))}`);
  const problems = results.flatMap((result) => (result.ok ? [] : result.problems));
  if (problems.length > 0) {
    const lines = problems.map((problem) => formatProblem(relative(problem)));
    throw new UsageError(fact('bad_suite_files', { count: problems.length, problems: lines }));
  }
  return results.flatMap((result) => (result.ok ? [result.suite] : []));
}

/**
 * Suites as far as a list shows them. Those of the package are not checked: its gate has done that.
 * @throws UsageError holding every problem of every file of the others.
 */
export async function outlineSuites(names: readonly string[], terminal: Terminal): Promise<SuiteOutline[]> {
  const known = new Set(builtInSuites());
  const outlines = await Promise.all(
    names.map((name) => (known.has(name) ? outlineSuite(suiteFolder(name)) : Promise.resolve(null))),
  );
  const others = names.filter((_name, index) => outlines[index] === null);
  const loaded = others.length === 0 ? [] : await loadSuites(others, terminal);
  return outlines.flatMap((outline) => outline ?? loaded.shift() ?? []);
}

/** A problem with its file as seen from the current folder. */
export function relative<T extends { file: string }>(problem: T): T {
  const file = path.relative(process.cwd(), problem.file);
  return { ...problem, file: file === '' ? '.' : file };
}
