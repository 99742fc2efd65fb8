import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { Problem } from '../contract/validation/problem.ts';
import { fact } from '../messages/messages.ts';
import { layFiles } from '../process/own-folder.ts';
import type { Intent } from './intent.ts';
import type { Task } from './schema.ts';

/** A file of the suite that a task gives to its agent for upload. */
export interface GivenFile {
  name: string;
  bytes: Buffer;
}

/** Files for a client of the gateway, which names them by paths of its own. */
export interface Given {
  files: readonly GivenFile[];
  /** Lets the client name the files by these paths. @param paths by name */
  foundAt(paths: ReadonlyMap<string, string>): void;
}

/** Copies files into the home of a client. @returns the paths at which it finds them, by name */
export async function handOver(
  home: { here: string; inside: string },
  given: Given | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (given === undefined) return new Map();
  await layFiles(posix.join(home.here, FOLDER), given.files);
  const paths = pathsIn(home.inside, given.files);
  given.foundAt(paths);
  return paths;
}

/** The paths of files in a home, by name: the same in every episode, so that a transcript can repeat a call. */
export function pathsIn(home: string, files: readonly GivenFile[]): ReadonlyMap<string, string> {
  return new Map(files.map(({ name }) => [name, posix.join(home, FOLDER, name)]));
}

const FOLDER = 'files';

/** Most bytes of all files of a task: Playwright sends them to a page in one command, which the gateway limits. */
export const MAX_GIVEN_BYTES = 5 * 1024 * 1024;

/** Agents name a file without its folder. */
export function givenNames({ files = [] }: Pick<Task, 'files'>): string[] {
  return files.map((file) => posix.basename(file));
}

/** Problems of a task by itself: two files of one name, and steps that upload what is not given. */
export function givenProblems({ solutions = [], nearMisses = [], ...task }: Task): Problem[] {
  const names = givenNames(task);
  const twice = names.flatMap((name, at): Problem[] =>
    names.indexOf(name) < at ? [{ path: ['files', at], what: fact('file_name_twice', { name }) }] : [],
  );
  const unknown = (steps: readonly Intent[], path: Problem['path']): Problem[] =>
    steps.flatMap((step, at) => {
      const name = step.do === 'upload' ? step.files.find((each) => !names.includes(each)) : undefined;
      if (name === undefined) return [];
      const meant = posix.basename(name);
      const what = names.includes(meant)
        ? fact('file_with_folder', { name, meant })
        : fact('file_not_given', { name, count: names.length, known: names });
      return [{ path: [...path, at, 'files'], what }];
    });
  return [
    ...twice,
    ...solutions.flatMap(({ steps }, at) => unknown(steps, ['solutions', at, 'steps'])),
    ...nearMisses.flatMap(({ steps }, at) => unknown(steps, ['nearMisses', at, 'steps'])),
  ];
}

/** The length and SHA-256 of each file, by name. */
export function hashesOf(files: readonly GivenFile[]): Record<string, { bytes: number; sha256: string }> {
  return Object.fromEntries(
    files.map(({ name, bytes }) => [
      name,
      { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    ]),
  );
}
