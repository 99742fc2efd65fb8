import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Parsed } from '../contract/validation/problem.ts';
import { readingProblem } from './source/read-source.ts';

/** The apps that come with Touchstone, which any suite may use. */
export const PACKAGE_APPS = fileURLToPath(new URL('../../apps', import.meta.url));

/** Resolves a path that a suite file names, and refuses it when it leaves the given folders, by `..` or through a link. */
export async function confine(base: string, path: string, folders: readonly string[]): Promise<Parsed<string>> {
  const problem = leavingProblem(base, path, folders);
  if (problem !== null) return refused(problem);
  const resolved = resolve(base, path);
  try {
    const real = await realpath(resolved);
    const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
    if (roots.some((root) => root !== null && isWithin(root, real))) return { ok: true, value: resolved };
    return refused(`"${path}" leaves ${words(folders)} through a link; put a copy inside`);
  } catch (error) {
    return refused(`"${path}" ${readingProblem(error)}`);
  }
}

/** The same for a file that may be made later: then the folder is asked in which the first of it would be made. */
export async function confineIfThere(base: string, path: string, folders: readonly string[]): Promise<Parsed<string>> {
  const problem = leavingProblem(base, path, folders);
  if (problem !== null) return refused(problem);
  const resolved = resolve(base, path);
  let there = resolved;
  while (!existsSync(there)) there = dirname(there);
  const confined = await confine(base, relative(base, there) || '.', folders);
  return confined.ok ? { ok: true, value: resolved } : confined;
}

/** Says how a path, or a pattern of paths, leaves the given folders by its words alone; null when it stays. */
export function leavingProblem(base: string, path: string, folders: readonly string[]): string | null {
  if (isAbsolute(path) || /^[A-Za-z]:|[\\\0]/.test(path)) {
    return `"${path}" is not relative; write it from the suite file on, with "/"`;
  }
  if (folders.some((folder) => isWithin(resolve(folder), resolve(base, path)))) return null;
  return `"${path}" leaves ${words(folders)}; keep the file inside`;
}

/** The answer for a path that must not be used. */
export function refused(message: string): Parsed<string> {
  return { ok: false, problems: [{ path: [], message }] };
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function words({ length }: readonly string[]): string {
  if (length > 2) return "the folder that the suite's lies in, and Touchstone's apps/";
  return length > 1 ? "the suite's folder and Touchstone's apps/" : "the suite's folder";
}
