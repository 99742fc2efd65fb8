import { z } from 'zod';
import { fact } from '../messages/messages.ts';
import { parsePlainly } from '../contract/validation/problem.ts';
import type { Kinds } from '../contract/validation/validate.ts';
import type { DrawSecret } from './draw.ts';
import { roleProblems, type Roles, type Credentials } from './auth.ts';
import { inTask, readTasks, type LoadedTask } from './load-task.ts';
import { findExemplars, type Exemplars } from './screenshot-classes.ts';
import { readSource } from './source/read-source.ts';
import { inFile, NOWHERE, type FileProblem } from './source/source.ts';
import { type LoadedWorld, resolveSuitePaths, resolveTaskFiles, type SuitePaths } from './suite-paths.ts';
import {
  anyDownloadWarnings,
  endlessAddressWarnings,
  originsOf,
  clockWarnings,
  stateWarnings,
  placeholderWarnings,
  publicRuleWarnings,
  suiteRuleProblems,
  waiverProblems,
} from './suite-rules.ts';
import { SUITE_FILES, suiteFileIn } from './suite-file.ts';
import { Suite, type Waiver } from './suite.ts';

export interface LoadedSuite {
  file: string;
  id: string;
  title: string;
  description: string | null;
  kinds: Kinds;
  world: LoadedWorld;
  tasks: LoadedTask[];
  exemplars: Exemplars;
  waivers: Waiver[];
  /** 0: as many as the policy requires. */
  leastRepetitions: number;
  credentials: Credentials;
  roles: Roles;
}

type SuiteResult = { warnings: FileProblem[] } & (
  | { ok: true; suite: LoadedSuite }
  /** `sound`: parts that can be checked further; null if none. */
  | { ok: false; problems: FileProblem[]; sound: SoundParts | null }
);

export type SoundParts = Pick<LoadedSuite, 'file' | 'world' | 'tasks'>;

/**
 * Loads the suite in a folder, and reports all problems of its files at once.
 * @param secret draws the instances of tasks with `draw`
 */
export async function loadSuite(folder: string, secret: DrawSecret | null = null): Promise<SuiteResult> {
  const file = suiteFileIn(folder);
  if (file === null) {
    const what = fact('suite_file_missing', { names: SUITE_FILES });
    return failed([{ file: folder, ...NOWHERE, path: [], what }]);
  }
  const read = await readSource(file);
  if (!read.ok) return failed(read.problems);
  const parsed = parsePlainly(Suite, read.value.value);
  if (!parsed.ok) {
    const ofTasks = await problemsOfTasks(folder, read.value.value);
    return failed([...inFile(file, read.value, parsed.problems), ...ofTasks]);
  }
  const suite = parsed.value;
  const { paths, problems } = await resolveSuitePaths(folder, suite);
  const loaded = await loadTasks(suite, folder, paths, secret);
  const ofWaivers = waiverProblems(loaded.tasks, suite);
  const all = [
    ...inFile(file, read.value, [...problems, ...ofWaivers, ...roleProblems(suite.roles, suite.credentials)]),
    ...loaded.problems,
  ];
  const { world } = paths;
  const tasks = loaded.tasks.map((placed) => ({ file: placed.file, task: placed.task }));
  if (all.length > 0) {
    const isThere = world.kind === 'local' || world.file !== '';
    return { ...failed(all, loaded.warnings), sound: isThere ? { file, world, tasks } : null };
  }
  const { id, title, description = null, kinds, waivers, least_repetitions: leastRepetitions = 0 } = suite;
  const { credentials, roles } = suite;
  const { exemplars, warnings } = loaded;
  return {
    ok: true,
    warnings,
    suite: {
      file,
      id,
      title,
      description,
      kinds,
      world,
      tasks,
      exemplars,
      waivers,
      leastRepetitions,
      credentials,
      roles,
    },
  };
}

async function problemsOfTasks(folder: string, value: unknown): Promise<FileProblem[]> {
  const named = z.object({ tasks: Suite.shape.tasks }).safeParse(value);
  if (!named.success) return [];
  const { files } = await resolveTaskFiles(folder, named.data.tasks);
  const read = await Promise.all(files.map((file) => readTasks(file, { folder })));
  return read.flatMap(({ problems }) => problems);
}

async function loadTasks(
  suite: Suite,
  folder: string,
  { taskFiles, screenshotClasses }: SuitePaths,
  secret: DrawSecret | null,
) {
  const drawn = secret && { secret, suite: suite.id };
  const options = { kinds: suite.kinds, caps: suite.caps, folder, drawn };
  const read = await Promise.all(taskFiles.map((file) => readTasks(file, options)));
  const tasks = read.flatMap((file) => file.tasks);
  const found = await Promise.all(tasks.map(({ task }) => findExemplars(task, screenshotClasses)));
  const problems = [
    ...read.flatMap((file) => file.problems),
    ...tasks.flatMap((placed, index) => {
      const amongOthers = suiteRuleProblems(placed, tasks.slice(0, index), suite);
      return inTask(placed, [...amongOthers, ...(found[index]?.problems ?? [])]);
    }),
  ];
  const exemplars: Exemplars = Object.assign({}, ...found.map((one) => one.exemplars));
  const origins = originsOf(suite, tasks);
  const warnings = tasks.flatMap((placed) => {
    const { task } = placed;
    return inTask(placed, [
      ...publicRuleWarnings(task, origins),
      ...placeholderWarnings(task),
      ...clockWarnings(task, suite),
      ...stateWarnings(task, suite),
      ...endlessAddressWarnings(task),
      ...anyDownloadWarnings(task),
    ]);
  });
  return { tasks, problems, exemplars, warnings };
}

function failed(problems: FileProblem[], warnings: FileProblem[] = []) {
  return { ok: false as const, problems, warnings, sound: null };
}
