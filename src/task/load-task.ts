import { z } from 'zod';
import { fact } from '../messages/messages.ts';
import type { Path, Problem } from '../contract/validation/problem.ts';
import type { Kinds } from '../contract/validation/validate.ts';
import type { SuiteCaps } from './caps.ts';
import { readGiven } from './suite-paths.ts';
import { Task } from './schema.ts';
import { candidatesIn, type DrawnFrom, type Expanded, expandInstances } from './expand-instances.ts';
import { readSource } from './source/read-source.ts';
import { inFile, type FileProblem, type Source } from './source/source.ts';
import { validateTask } from './validate.ts';

export interface LoadedTask {
  file: string;
  task: Task;
}

export interface PlacedTask extends LoadedTask {
  source: Source;
  /** Its place in the file. */
  path: Problem['path'];
}

type LoadedFile = { ok: true; tasks: LoadedTask[] } | { ok: false; problems: FileProblem[] };

interface TaskOptions {
  kinds?: Kinds;
  caps?: SuiteCaps | undefined;
  /** The suite's folder, in which the files that tasks give are looked for. */
  folder?: string;
  drawn?: DrawnFrom | null;
}

export async function loadTaskFile(file: string, options: TaskOptions = {}): Promise<LoadedFile> {
  const { tasks, problems } = await readTasks(file, options);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, tasks: tasks.map(({ task }) => ({ file, task })) };
}

export async function readTasks(
  file: string,
  options: TaskOptions,
): Promise<{ tasks: PlacedTask[]; problems: FileProblem[] }> {
  const read = await readSource(file);
  if (!read.ok) return { tasks: [], problems: read.problems };
  const source = read.value;
  const tasks: PlacedTask[] = [];
  const problems: Problem[] = [];
  const candidates = candidatesIn(source.value);
  for (const { value, path } of candidates) {
    const checked = await checkTask(value, options);
    tasks.push(...checked.tasks.map((task) => ({ file, task, source, path })));
    problems.push(...below(path, checked.problems));
  }
  if (candidates.length === 0) problems.push({ path: [], what: fact('no_tasks') });
  return { tasks, problems: inFile(file, source, problems) };
}

/** The tasks that an untrusted one gives, one for each instance, and all its problems. */
export async function checkTask(value: unknown, options: TaskOptions): Promise<{ tasks: Task[]; problems: Problem[] }> {
  const expanded = expandInstances(value, options.drawn);
  return expanded.ok ? await checkInstances(expanded.value, options) : { tasks: [], problems: expanded.problems };
}

/** A file lists instances, of which each task has one. */
const IN_FILES = { instance: 'instances' };

/** Reports a problem that all instances share once. */
async function checkInstances(instances: readonly Expanded[], { kinds = 'all', caps, folder }: TaskOptions) {
  const tasks: Task[] = [];
  const problems = new Map<string, Problem>();
  for (const { value, instance } of instances) {
    const result = validateTask(value, { kinds, caps, written: IN_FILES });
    if (result.ok) tasks.push(result.value);
    const ofFiles = folder === undefined ? [] : await fileProblems(value, folder);
    for (const { path, what } of [...(result.ok ? [] : result.problems), ...ofFiles]) {
      const key = JSON.stringify([path, what]);
      if (!problems.has(key)) problems.set(key, { path, what, ...(instance === null ? {} : { instance }) });
    }
  }
  return { tasks, problems: [...problems.values()] };
}

/** Looks for the files of a task even if the rest of it has problems. */
async function fileProblems(value: unknown, folder: string): Promise<Problem[]> {
  const { data } = Giving.safeParse(value);
  const read = data === undefined ? null : await readGiven(data, folder);
  return read?.ok === false ? read.problems : [];
}

const Giving = z.object({ files: Task.shape.files });

export function inTask({ file, source, path }: PlacedTask, problems: readonly Problem[]): FileProblem[] {
  return inFile(file, source, below(path, problems));
}

export function below(path: Path, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}
