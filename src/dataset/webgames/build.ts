import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { glob } from 'tinyglobby';
import { fact } from '../../messages/messages.ts';
import { DatasetError } from '../dataset-error.ts';

const FOLDER = 'webgames';
/** The folder that the app serves. */
export const BUILD = `${FOLDER}/dist`;

const CONSTANT = /\bconst ((?:PASSWORD|TASK_ID)_\w+)\s*=\s*"([^"\\]+)"/g;
const RECORDER = /\buseTaskAnalytics\(\s*(TASK_ID_\w+)/;
const QUOTES = ['"', "'", '`'];

/** A game as the source of its page has it. */
export interface Game {
  /** The passwords on its page, by the names of their constants: the one to find, intermediate ones and decoys. */
  passwords: Record<string, string>;
  /** The constant of the one to find. */
  answer: string;
  /** Whether a page records at the server that the game was won. */
  isRecorded: boolean;
}

/** Finds a game by its id and password; null if the source has another, or the build lacks one of its passwords. */
type FindGame = (id: string, password: string) => Game | null;

/** Reads source and build of a checkout. @throws DatasetError if it was not built */
export async function readGames(checkout: string): Promise<FindGame> {
  if (!existsSync(path.join(checkout, BUILD, 'index.html'))) {
    throw new DatasetError(fact('webgames_not_built', { folder: path.join(checkout, FOLDER) }));
  }
  const scripts = (await textsIn(path.join(checkout, BUILD), '**/*.js')).join('\n');
  const pages = await textsIn(path.join(checkout, FOLDER, 'src'), '**/*.tsx');
  const constants = pages.map((text) =>
    [...text.matchAll(CONSTANT)].map(([, name = '', value = '']) => ({ name, value })),
  );
  const recorders = new Set(
    pages.flatMap((text) => (text.includes('recordSuccess(') ? (RECORDER.exec(text)?.[1] ?? []) : [])),
  );
  const isBuilt = (password: string): boolean => QUOTES.some((quote) => scripts.includes(quote + password + quote));
  return (id, password) => {
    const showing = constants.filter((named) =>
      named.some(({ name, value }) => isPassword(name) && value === password),
    );
    // Two pages may share a password, and a page may have no id.
    const own = showing.find((named) => named.some(({ value }) => value === id)) ?? showing[0] ?? [];
    const passwords = own.filter(({ name }) => isPassword(name));
    const answer = passwords.find(({ value }) => value === password)?.name;
    if (answer === undefined || !passwords.every(({ value }) => isBuilt(value))) return null;
    const isRecorded = own.some(({ name }) => recorders.has(name));
    return { passwords: Object.fromEntries(passwords.map(({ name, value }) => [name, value])), answer, isRecorded };
  };
}

function isPassword(constant: string): boolean {
  return constant.startsWith('PASSWORD_');
}

async function textsIn(folder: string, pattern: string): Promise<string[]> {
  const names = await glob([pattern], { cwd: folder });
  return await Promise.all(names.toSorted().map(async (name) => await readFile(path.join(folder, name), 'utf8')));
}
