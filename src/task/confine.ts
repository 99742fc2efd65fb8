import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readingProblem } from './text-file.ts';

/** The apps that come with Touchstone, which any suite may use. */
export const PACKAGE_APPS = fileURLToPath(new URL('../../apps', import.meta.url));

export type Confined = { ok: true; path: string } | { ok: false; message: string };

/** Resolves a path that a suite file names, and refuses it when it leaves the given folders, by `..` or through a link. */
export async function confine(base: string, path: string, folders: readonly string[]): Promise<Confined> {
  if (isAbsolute(path) || /^[A-Za-z]:|[\\\0]/.test(path)) {
    return { ok: false, message: `"${path}" is not relative; write it from the suite file on, with "/"` };
  }
  const resolved = resolve(base, path);
  if (!folders.some((folder) => isWithin(resolve(folder), resolved))) {
    return { ok: false, message: `"${path}" leaves ${words(folders)}; keep the file inside` };
  }
  try {
    const real = await realpath(resolved);
    const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
    if (roots.some((root) => root !== null && isWithin(root, real))) return { ok: true, path: resolved };
    return { ok: false, message: `"${path}" leaves ${words(folders)} through a link; put a copy inside` };
  } catch (error) {
    return { ok: false, message: `"${path}" ${readingProblem(error)}` };
  }
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function words(folders: readonly string[]): string {
  return folders.length > 1 ? "the suite's folder and Touchstone's apps/" : "the suite's folder";
}
