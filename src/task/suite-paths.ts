import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../contract/problem.ts';
import { confine, PACKAGE_APPS, type Confined } from './confine.ts';
import { filesMatching, isGlob } from './glob.ts';
import type { Suite } from './suite.ts';

/** A site with its path resolved. */
export interface LoadedSite {
  origin: string;
  /** Whether an app of ours is run there, or a folder of files is served. */
  serves: 'app' | 'static';
  path: string;
  /** It answers in the place of a real site. */
  standIn: boolean;
}

export interface SuitePaths {
  taskFiles: string[];
  sites: LoadedSite[];
  screenshotClasses: string | null;
}

/** Resolves every path that a suite file names. What leaves the allowed folders or does not exist is a problem. */
export async function resolveSuitePaths(
  folder: string,
  suite: Suite,
): Promise<{ paths: SuitePaths; problems: Problem[] }> {
  const problems: Problem[] = [];
  const report = (path: Problem['path'], message: string): void => void problems.push({ path, message });
  const taskFiles = await taskFilesOf(folder, suite, report);
  const sites: LoadedSite[] = [];
  for (const [index, { origin, app, static: files, stand_in: standIn }] of suite.world.sites.entries()) {
    const serves = app === undefined ? 'static' : 'app';
    const confined = await confine(folder, app ?? files ?? '.', [folder, PACKAGE_APPS]);
    const checked = serves === 'static' ? await asFolder(confined) : confined;
    if (checked.ok) sites.push({ origin, serves, path: checked.path, standIn: standIn ?? false });
    else report(['world', 'sites', index, serves], checked.message);
  }
  const classes = suite.screenshot_classes;
  const exemplars = classes === undefined ? null : await asFolder(await confine(folder, classes, [folder]));
  if (exemplars?.ok === false) report(['screenshot_classes'], exemplars.message);
  const screenshotClasses = exemplars?.ok === true ? exemplars.path : null;
  return { paths: { taskFiles, sites, screenshotClasses }, problems };
}

async function taskFilesOf(
  folder: string,
  { tasks }: Suite,
  report: (path: Problem['path'], message: string) => void,
): Promise<string[]> {
  const files = new Set<string>();
  for (const [index, entry] of tasks.entries()) {
    const names = isGlob(entry) ? await filesMatching(folder, entry) : [entry];
    if (names.length === 0)
      report(['tasks', index], `"${entry}" matches no file in the suite's folder; check the pattern`);
    for (const name of names) {
      const confined = await confine(folder, name, [folder]);
      if (confined.ok) files.add(join(folder, name));
      else report(['tasks', index], confined.message);
    }
  }
  return [...files];
}

async function asFolder(confined: Confined): Promise<Confined> {
  if (!confined.ok || (await stat(confined.path)).isDirectory()) return confined;
  return { ok: false, message: 'is a file; name the folder that holds the files' };
}
