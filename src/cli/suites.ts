import { fact } from '../messages/messages.ts';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { nearestName } from '../contract/nearest-name.ts';
import { packageRoot } from '../plan/package-root.ts';
import { formatProblem } from '../task/source/source.ts';
import type { DrawSecret } from '../task/draw.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { outlineSuite, type SuiteOutline } from '../task/outline.ts';
import { SUITE_FILES } from '../task/suite-file.ts';
import { OWN_FOLDER } from './init/places.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './exit-code.ts';

export function builtInSuites(): string[] {
  return readdirSync(path.join(packageRoot(), 'suites'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

/**
 * Refuses to write files of an installed package, which its next version would remove.
 * @throws UsageError when one of these files is in it
 */
export function refuseInstalled(files: readonly string[], root: string = packageRoot()): void {
  if (!root.split(path.sep).includes('node_modules')) return;
  const own = files.find((file) => file.startsWith(root + path.sep));
  if (own === undefined) return;
  throw new UsageError(fact('file_of_package', { file: path.relative(root, own) }));
}

export function isSuiteFile(name: string): boolean {
  return SUITE_FILES.includes(path.basename(name));
}

/**
 * Returns the folder of a suite that is named by a built-in name, its folder, its file, or the folder of an app in which "init" began
 * it.
 * @throws UsageError when its name is unknown
 */
export function suiteFolder(name: string): string {
  if (builtInSuites().includes(name)) return path.join(packageRoot(), 'suites', name);
  if (existsSync(name)) return path.resolve(isSuiteFile(name) ? path.dirname(name) : withSuite(name));
  const isFolder = name.includes('/') || name.includes(path.sep);
  const meant = isFolder ? '' : (nearestName(name, builtInSuites()) ?? '');
  throw new UsageError(fact('unknown_suite', { name, folder: isFolder, meant, known: builtInSuites() }));
}

/** Returns a suite as it is typed here: an absolute path becomes relative if that is shorter. */
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
 * Loads suites and prints their warnings.
 * @throws UsageError with every problem of every file
 */
export async function loadSuites(
  names: readonly string[],
  terminal: Terminal,
  secret: DrawSecret | null = null,
): Promise<LoadedSuite[]> {
  // Listing built-in suites needs no code that checks suites.
  const { loadSuite } = await import('../task/load-suite.ts');
  const results = await Promise.all(names.map((name) => loadSuite(suiteFolder(name), secret)));
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
 * Returns the parts of suites that a list shows. Built-in suites are not checked.
 * @throws UsageError with every problem of every file of the others
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

export function relative<T extends { file: string }>(problem: T): T {
  const file = path.relative(process.cwd(), problem.file);
  return { ...problem, file: file === '' ? '.' : file };
}
