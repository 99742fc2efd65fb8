import { isRecord } from '../contract/record.ts';
import type { Kinds } from '../contract/validate.ts';
import { inReadingOrder, type FileProblem } from './file-problem.ts';
import type { Task } from './schema.ts';
import { readSource } from './read-source.ts';
import { inFile, type Source } from './source.ts';
import { validateTask } from './validate.ts';

/** A valid task and where it came from. */
export interface LoadedTask {
  file: string;
  task: Task;
}

/** A valid task within its file, for rules that look at more than one task. */
export interface PlacedTask extends LoadedTask {
  source: Source;
  /** Where the task stands in its file: nowhere in particular, or at an index of a list. */
  path: number[];
}

export type LoadedFile = { ok: true; tasks: LoadedTask[] } | { ok: false; problems: FileProblem[] };

/** Loads the task, or the list of tasks, of a YAML, JSON or TypeScript file. */
export async function loadTaskFile(file: string, options: { kinds?: Kinds } = {}): Promise<LoadedFile> {
  const { tasks, problems } = await readTasks(file, options);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, tasks: tasks.map(({ task }) => ({ file, task })) };
}

/** The valid tasks of a file beside everything that is wrong with the others. */
export async function readTasks(
  file: string,
  options: { kinds?: Kinds },
): Promise<{ tasks: PlacedTask[]; problems: FileProblem[] }> {
  const read = await readSource(file);
  if (!read.ok) return { tasks: [], problems: read.problems.map((problem) => ({ file, path: [], ...problem })) };
  const { source } = read;
  const results = candidates(source.value).map(({ value, path }) => ({ path, result: validateTask(value, options) }));
  const tasks = results.flatMap(({ path, result }) => (result.ok ? [{ file, task: result.task, source, path }] : []));
  const problems = results.flatMap(({ path, result }) =>
    result.ok ? [] : result.problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] })),
  );
  if (results.length === 0) problems.push({ path: [], message: 'is an empty list; write at least one task' });
  return { tasks, problems: inReadingOrder(inFile(file, source, problems)) };
}

function candidates(value: unknown): { value: unknown; path: number[] }[] {
  if (isRecord(value) || !Array.isArray(value)) return [{ value, path: [] }];
  const entries: readonly unknown[] = value;
  return entries.map((entry, index) => ({ value: entry, path: [index] }));
}
