import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { printable } from '../../report/printable.ts';
import type { Request } from '../command.ts';
import type { InitOptions } from '../commands/init.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Answers, askAll, USUAL } from '../init/answers.ts';
import {
  agentFile,
  filesFor,
  FIRST_TASK,
  type InitFile,
  OWN_CAMPAIGN,
  OWN_FOLDER,
  repositoryOf,
  rootFor,
  WORKFLOW,
} from '../init/files.ts';
import { shellWord } from '../../report/shell-word.ts';
import { MOST_COLUMNS } from '../first-screen.ts';
import { broken } from '../labelled-lines.ts';
import { asTyped, type Terminal } from '../terminal.ts';

/** A folder where nothing lies but what `npm install touchstone` has left, or git, is as good as empty. */
const OF_NPM = new Set(['node_modules', 'package.json', 'package-lock.json', '.git']);

export async function init(
  { args: [named], options: { yes } }: Request<InitOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  const folder = path.resolve(named ?? (readdirSync('.').every((name) => OF_NPM.has(name)) ? '.' : OWN_FOLDER));
  const above = path.relative('.', folder) === '' ? null : path.dirname(folder);
  const answers = yes || terminal.ask === undefined ? USUAL : await askAll(terminal.ask, above);
  const root = repositoryOf(folder);
  for (const each of filesFor(folder, answers)) {
    const isNew = !existsSync(each.file);
    if (isNew) await write(each);
    terminal.out(`${isNew ? 'wrote' : 'kept '}  ${printable(shown(each.file))}`);
  }
  const lines = [...nextSteps(folder, answers), ...(root === null ? withoutRepository(folder) : [])];
  for (const line of lines) terminal.out(printable(asTyped(line, terminal)));
  return EXIT.done;
}

async function write(each: InitFile): Promise<void> {
  await mkdir(path.dirname(each.file), { recursive: true });
  if ('copyOf' in each) await cp(each.copyOf, each.file, { recursive: true, errorOnExist: true, force: false });
  else await writeFile(each.file, each.text, { flag: 'wx' });
}

/** Says for which root the workflow is written where there is none to see. */
function withoutRepository(folder: string): string[] {
  const root = rootFor(folder);
  const text = `no git repository here: ${shown(path.join(root, WORKFLOW))} is for a repository that begins in ${root}. If yours begins higher up: run "git init" there, delete this file, and run "touchstone init" again.`;
  return ['', ...broken(text, MOST_COLUMNS)];
}

function nextSteps(folder: string, { app, agent }: Answers): string[] {
  const own = path.join(folder, agentFile(agent));
  const place = shown(folder);
  const install = agent === 'node' && !canImport('playwright-core', own);
  // A run finds the campaign of this folder, and where there is none that of our folder in it.
  const isFound = place === '.' || (place === OWN_FOLDER && !existsSync(OWN_CAMPAIGN));
  const run = isFound ? 'touchstone run' : `touchstone run --campaign ${shellWord(path.join(place, OWN_CAMPAIGN))}`;
  const first =
    app.kind === 'page'
      ? 'its task passes'
      : `its task fails until ${shown(path.join(folder, FIRST_TASK))} has the heading of your page`;
  return [
    '',
    ...(install ? [`  npm install --prefix ${shellWord(shown(path.dirname(own)))}`] : []),
    `  touchstone validate ${shellWord(place)}`,
    `  ${run}`,
    '',
    `The first run measures ${shown(own)}: ${first}.`,
    'Its bundle goes to bundles/ in this folder.',
    ...(isIgnored('bundles') ? [] : ['Have git ignore that: echo bundles/ >> .gitignore']),
  ];
}

/** Whether the file of this folder that says so tells git to ignore a folder in it. */
function isIgnored(name: string): boolean {
  if (!existsSync('.gitignore')) return false;
  const lines = readFileSync('.gitignore', 'utf8').split('\n');
  return lines.some((line) => line.trim().replaceAll(/^\/|\/$/g, '') === name);
}

/** Whether a script would find a package, installed beside it or above. */
function canImport(name: string, script: string): boolean {
  try {
    createRequire(script).resolve(name);
    return true;
  } catch {
    return false;
  }
}

function shown(place: string): string {
  return path.relative('.', place) || '.';
}
