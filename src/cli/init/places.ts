import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fact } from '../../messages/messages.ts';
import { shellWord } from '../../report/shell-word.ts';
import { SUITE_FILES } from '../../task/suite-file.ts';
import { UsageError } from '../exit-code.ts';

/** The name of the campaign that `touchstone run` finds in the folder where it is started. */
export const OWN_CAMPAIGN = 'touchstone.yaml';

/** The folder in which a suite is begun in a folder that holds something else already. */
export const OWN_FOLDER = 'touchstone';

/** Files that `npm install touchstone` or git have left; a folder with nothing else counts as empty. */
const OF_NPM = new Set(['node_modules', 'package.json', 'package-lock.json', '.git']);

export function isBegun(folder: string): boolean {
  return [[OWN_CAMPAIGN], SUITE_FILES].every((names) => names.some((name) => existsSync(path.join(folder, name))));
}

/**
 * Returns the folder of the suite for the one that is named, or this one: the one that holds a suite, itself or in ours, else
 * itself if it counts as empty, else ours in it.
 * @throws UsageError `second_suite` when none is named, and a folder above or below holds a suite
 */
export function folderOfSuite(named: string | undefined): string {
  const place = path.resolve(named ?? '.');
  const own = path.join(place, OWN_FOLDER);
  const begun = [place, own].find(isBegun);
  if (begun !== undefined) return begun;
  if (named === undefined) refuseSecond(place);
  return !existsSync(place) || readdirSync(place).every((name) => OF_NPM.has(name)) ? place : own;
}

function refuseSecond(here: string): void {
  const near = [...above(here), ...below(here)].flatMap((folder) => [folder, path.join(folder, OWN_FOLDER)]);
  const [first, ...more] = near.filter(isBegun).map((place) => path.relative('.', place));
  if (first === undefined) return;
  throw new UsageError(fact('second_suite', { first, more: more.length, typed: shellWord(first), own: OWN_FOLDER }));
}

/** Lists the folders above, up to the root of the repository; without one only the next, as nothing shows where an app ends. */
function above(folder: string): string[] {
  const root = repositoryOf(folder);
  const found: string[] = [];
  for (let at = folder; at !== (root ?? path.dirname(folder));) {
    at = path.dirname(at);
    found.push(at);
  }
  return found;
}

function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.')
      ? [path.join(folder, entry.name)]
      : [],
  );
}

export function repositoryOf(folder: string): string | null {
  const marked = nearest(folder, '.git');
  return marked === null ? null : path.dirname(marked);
}

/** Returns the root for which the workflow is written: without a repository, the folder of the app. */
export function rootFor(folder: string): string {
  return repositoryOf(folder) ?? (isNextToApp(folder) ? path.dirname(folder) : folder);
}

function isNextToApp(folder: string): boolean {
  const manifest = packageAbove(folder);
  return path.basename(folder) === OWN_FOLDER || (manifest !== null && path.dirname(manifest) === path.dirname(folder));
}

/** Makes git ignore bundles where runs of the suite are started: in its folder, and in the one that holds it. */
export function ignoreBundles(folder: string): { file: string; added: readonly string[]; isNew: boolean }[] {
  const parent = path.dirname(folder);
  const isRunAbove = isNextToApp(folder) || parent === path.resolve('.');
  const wanted = new Map([
    [folder, ['/bundles/', 'node_modules/']],
    ...(isRunAbove ? [[parent, ['/bundles/']] as const] : []),
  ]);
  return [...wanted].map(([place, lines]) => {
    const file = path.join(place, '.gitignore');
    const isNew = !existsSync(file);
    const text = isNew ? '' : readFileSync(file, 'utf8');
    const has = new Set(text.split(/\r?\n/).map(bare));
    const added = lines.filter((line) => !has.has(bare(line)));
    if (added.length > 0)
      appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${added.join('\n')}\n`);
    return { file, added, isNew };
  });
}

/** Drops the slashes around a name that git is to ignore. */
function bare(line: string): string {
  return line.trim().replaceAll(/^\/|\/$/g, '');
}

export function packageAbove(folder: string): string | null {
  return nearest(folder, 'package.json');
}

function nearest(folder: string, name: string): string | null {
  for (let at = folder; ; at = path.dirname(at)) {
    const place = path.join(at, name);
    if (existsSync(place)) return place;
    if (at === path.dirname(at)) return null;
  }
}
