import { stat, realpath } from 'node:fs/promises';
import { dirname, posix, isAbsolute, relative, resolve, sep } from 'node:path';
import { glob } from 'tinyglobby';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import type { Parsed, Problem } from '../contract/validation/problem.ts';
import type { OutsideApp } from './outside-app.ts';
import type { Suite } from './suite.ts';
import { createReadStream, existsSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { type GivenFile, MAX_GIVEN_BYTES } from './given-files.ts';
import type { Task } from './schema.ts';
import { fileURLToPath } from 'node:url';
import { readingProblem } from './source/read-source.ts';

export interface LoadedSite {
  origin: string;
  serves: 'app' | 'program' | 'static';
  /** The app's file, or the folder of the program or the files. */
  path: string;
  program?: OutsideApp;
  /** Other folders that the app serves files from. */
  files: string[];
  /** A folder outside the suite's, and the hash that its tree must have. */
  data?: { folder: string; sha256: string };
  standIn: boolean;
  /** One server answers all episodes, so they run one at a time. */
  shared?: true;
  /** Path of the app's MCP server. */
  mcp?: string;
  /** Its pages register tools. */
  webmcp?: true;
}

/** Whether a site gives the judge its state. An app's `state` is a required function. */
export function reportsState({ serves, program }: Pick<LoadedSite, 'serves' | 'program'>): boolean {
  return serves === 'app' || program?.state !== undefined;
}

/** Whether one server answers all episodes, so that no two can run at once. */
export function sharesServer({ world }: { world: LoadedWorld }): boolean {
  return world.kind === 'local' && world.sites.some(({ shared }) => shared === true);
}

export type LoadedWorld =
  | { kind: 'local'; sites: LoadedSite[] }
  /** The file may be recorded later. */
  | { kind: 'archive'; file: string; ignoreQuery: string[] };

export interface SuitePaths {
  taskFiles: string[];
  world: LoadedWorld;
  screenshotClasses: string | null;
}

/** Resolves every path in a suite file. A path that leaves the allowed folders or does not exist is a problem. */
export async function resolveSuitePaths(
  folder: string,
  suite: Suite,
): Promise<{ paths: SuitePaths; problems: Problem[] }> {
  const problems: Problem[] = [];
  /** Returns null after noting the problems at the field. */
  const take = (field: Problem['path'], result: Parsed<string>): string | null => {
    if (result.ok) return result.value;
    problems.push(...result.problems.map(({ what }) => ({ path: field, what })));
    return null;
  };
  const { files: taskFiles, problems: ofTaskFiles } = await resolveTaskFiles(folder, suite.tasks);
  problems.push(...ofTaskFiles);
  const world = await resolveWorld(folder, suite.world, take);
  const classes = suite.screenshot_classes;
  const screenshotClasses =
    classes === undefined
      ? null
      : take(['screenshot_classes'], await asFolder(await confine(folder, classes, [folder])));
  return { paths: { taskFiles, world, screenshotClasses }, problems };
}

export async function resolveTaskFiles(
  folder: string,
  entries: readonly string[],
): Promise<{ files: string[]; problems: Problem[] }> {
  const files = new Set<string>();
  const problems: Problem[] = [];
  for (const [index, entry] of entries.entries()) {
    for (const result of await taskFilesOf(folder, entry)) {
      if (result.ok) files.add(result.value);
      else problems.push(...result.problems.map(({ what }) => ({ path: ['tasks', index], what })));
    }
  }
  return { files: [...files], problems };
}

async function resolveWorld(
  folder: string,
  world: Suite['world'],
  take: (field: Problem['path'], result: Parsed<string>) => string | null,
): Promise<LoadedWorld> {
  if (world.kind === 'archive') {
    const file = take(['world', 'archive'], await confineIfThere(folder, world.archive, [folder]));
    return { kind: 'archive', file: file ?? '', ignoreQuery: world.ignore_query };
  }
  const sites: LoadedSite[] = [];
  for (const [index, site] of world.sites.entries()) {
    const { origin, app, static: folderOfFiles, program, data, stand_in: standIn, shared, mcp, webmcp } = site;
    const serves = app !== undefined ? 'app' : program === undefined ? 'static' : 'program';
    // A program could read there anyway, and an app has its suite in a folder of its own.
    const roots = program === undefined ? [folder, PACKAGE_APPS] : [folder, dirname(folder), PACKAGE_APPS];
    const confined = await confine(folder, app ?? program?.folder ?? folderOfFiles ?? '.', roots);
    const field = ['world', 'sites', index, serves, ...(serves === 'program' ? ['folder'] : [])];
    const path = take(field, serves === 'app' ? confined : await asFolder(confined));
    const files: string[] = [];
    for (const [at, each] of (site.files ?? []).entries()) {
      const allowed = await asFolder(await confine(folder, each, [folder, PACKAGE_APPS]));
      const file = take(['world', 'sites', index, 'files', at], allowed);
      if (file !== null) files.push(file);
    }
    const dataFolder =
      data === undefined
        ? null
        : take(['world', 'sites', index, 'data', 'folder'], await asFolder(await placed(folder, data.folder)));
    if (path !== null) {
      const ran = program === undefined ? {} : { program };
      const sharing = shared === true || program?.port !== undefined ? ({ shared: true } as const) : {};
      const tools = { ...(mcp === undefined ? {} : { mcp }), ...(webmcp === undefined ? {} : { webmcp }) };
      const given = data === undefined || dataFolder === null ? {} : { data: { ...data, folder: dataFolder } };
      sites.push({ origin, serves, path, files, standIn: standIn ?? false, ...given, ...ran, ...sharing, ...tools });
    }
  }
  return { kind: 'local', sites };
}

async function taskFilesOf(folder: string, entry: string): Promise<Parsed<string>[]> {
  if (!/[*?]/.test(entry)) return [await confine(folder, entry, [folder])];
  const leaving = leavingProblem(folder, entry, [folder]);
  if (leaving !== null) return [refused(leaving)];
  const names = await filesMatching(folder, entry);
  if (names.length === 0) return [refused(fact('path_without_match', { path: entry }))];
  return Promise.all(names.map((name) => confine(folder, name, [folder])));
}

/** Sorted; without links, hidden files and `node_modules`. */
async function filesMatching(folder: string, pattern: string): Promise<string[]> {
  const names = await glob(posix.normalize(pattern), {
    cwd: folder,
    followSymbolicLinks: false,
    expandDirectories: false,
    braceExpansion: false,
    extglob: false,
    ignore: '**/node_modules/**',
  });
  return names.toSorted();
}

async function placed(folder: string, path: string): Promise<Parsed<string>> {
  const place = resolve(folder, path);
  return await stat(place).then(
    () => ({ ok: true, value: place }),
    (error: unknown) => refused(readingProblem(error, path)),
  );
}

async function asFolder(confined: Parsed<string>): Promise<Parsed<string>> {
  if (!confined.ok || (await stat(confined.value)).isDirectory()) return confined;
  return refused(fact('path_of_file'));
}

/** The apps that come with Touchstone. */
export const PACKAGE_APPS = fileURLToPath(new URL('../../apps', import.meta.url));

/** Resolves a path, and refuses it if it leaves the given folders, by `..` or through a link. */
export async function confine(base: string, path: string, folders: readonly string[]): Promise<Parsed<string>> {
  const problem = leavingProblem(base, path, folders);
  if (problem !== null) return refused(problem);
  const resolved = resolve(base, path);
  try {
    const real = await realpath(resolved);
    const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
    if (roots.some((root) => root !== null && isWithin(root, real))) return { ok: true, value: resolved };
    return refused(fact('path_leaves', { path, roots: folders.length, link: true }));
  } catch (error) {
    return refused(readingProblem(error, path));
  }
}

/** The same for a file that may not exist yet: its nearest existing folder is checked. */
export async function confineIfThere(base: string, path: string, folders: readonly string[]): Promise<Parsed<string>> {
  const problem = leavingProblem(base, path, folders);
  if (problem !== null) return refused(problem);
  const resolved = resolve(base, path);
  let there = resolved;
  while (!existsSync(there)) there = dirname(there);
  const confined = await confine(base, relative(base, there) || '.', folders);
  return confined.ok ? { ok: true, value: resolved } : confined;
}

/** Finds how a path or pattern leaves the given folders by its text alone; null if it stays inside. */
export function leavingProblem(base: string, path: string, folders: readonly string[]): Fact | null {
  if (isAbsolute(path) || /^[A-Za-z]:|[\\\0]/.test(path)) {
    return fact('path_not_relative', { path });
  }
  if (folders.some((folder) => isWithin(resolve(folder), resolve(base, path)))) return null;
  return fact('path_leaves', { path, roots: folders.length, link: false });
}

export function refused(what: Fact): Parsed<string> {
  return { ok: false, problems: [{ path: [], what }] };
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Reads the files of a task, none of which may lie outside its suite. @param folder of the suite */
export async function readGiven({ files = [] }: Pick<Task, 'files'>, folder: string): Promise<Parsed<GivenFile[]>> {
  const given: GivenFile[] = [];
  const problems: Problem[] = [];
  let left = MAX_GIVEN_BYTES;
  for (const [at, file] of files.entries()) {
    const path = ['files', at];
    const confined = await confine(folder, file, [folder]);
    if (!confined.ok) {
      for (const { what } of confined.problems)
        problems.push({ path, what: what.code === 'file_not_found' ? await notFound(file, folder) : what });
    } else if (!(await stat(confined.value)).isFile()) problems.push({ path, what: fact('given_not_a_file') });
    else {
      // Reads no more than the limit, however much the file grows.
      const bytes = await buffer(createReadStream(confined.value, { end: left }));
      if (bytes.length > left) {
        problems.push({ path, what: fact('files_too_big', { most: MAX_GIVEN_BYTES }) });
        break;
      }
      left -= bytes.length;
      given.push({ name: posix.basename(file), bytes });
    }
  }
  return problems.length === 0 ? { ok: true, value: given } : { ok: false, problems };
}

/** Names a file of the same name in another folder of the suite, if there is one. */
async function notFound(path: string, folder: string): Promise<Fact> {
  const names = await filesMatching(folder, '**/*');
  const meant = names.find((name) => posix.basename(name) === posix.basename(path)) ?? '';
  return fact('given_not_found', { path, meant });
}
