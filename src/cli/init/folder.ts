import { fact } from '../../messages/messages.ts';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { shellWord } from '../../report/shell-word.ts';
import { UsageError } from '../exit-code.ts';
import { isBegun, OWN_FOLDER, repositoryOf } from './files.ts';

/** A folder where nothing lies but what `npm install touchstone` has left, or git, is as good as empty. */
const OF_NPM = new Set(['node_modules', 'package.json', 'package-lock.json', '.git']);

/**
 * The folder that is meant where none is named: the one here in which a suite was begun, else this one if it is as good as
 * empty, else a new one in it.
 * @throws UsageError when a suite was begun in a folder above or below: a second one, inside or around it, is hardly meant
 */
export function folderHere(): string {
  const here = path.resolve('.');
  const own = path.join(here, OWN_FOLDER);
  const begun = [here, own].find(isBegun);
  if (begun !== undefined) return begun;
  const others = [...above(here), ...below(here)].flatMap(begunIn);
  if (others.length > 0) throw secondSuite(others);
  return readdirSync(here).every((name) => OF_NPM.has(name)) ? here : own;
}

function secondSuite(others: readonly string[]): UsageError {
  const [first = '.', ...more] = others.map((place) => path.relative('.', place));
  return new UsageError(fact('second_suite', { first, more: more.length, typed: shellWord(first), own: OWN_FOLDER }));
}

/** Lists the folder itself and the one of ours in it, if a suite was begun there. */
function begunIn(folder: string): string[] {
  return [folder, path.join(folder, OWN_FOLDER)].filter(isBegun);
}

/** Folders above, as far as the root of the repository; without one, the next alone, as nothing says where an app ends. */
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
