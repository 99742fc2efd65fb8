import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatProblem, type FileProblem } from '../../src/task/source/source.ts';
import { loadTaskFile } from '../../src/task/load-task.ts';

function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

export async function fixtureNames(folder: string): Promise<string[]> {
  return (await readdir(fixture(folder))).toSorted();
}

export async function problemsIn(name: string): Promise<string[]> {
  const loaded = await loadTaskFile(fixture(name));
  return loaded.ok ? [] : loaded.problems.map(formatted);
}

/** A problem as users see it, less the folder that the file is in. */
export function formatted(problem: FileProblem): string {
  return formatProblem({ ...problem, file: basename(problem.file) });
}
