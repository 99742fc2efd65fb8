import { fact } from '../../messages/messages.ts';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Request } from '../command.ts';
import type { InitOptions } from '../commands/run.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { type Answers, askAll, type GivenAnswers } from '../init/answers.ts';
import {
  agentFile,
  filesFor,
  filesForBegun,
  FIRST_TASK,
  type InitFile,
  isBegun,
  OWN_CAMPAIGN,
  OWN_FOLDER,
  repositoryOf,
  rootFor,
  WORKFLOW,
} from '../init/files.ts';
import { folderHere } from '../init/folder.ts';
import { shellWord } from '../../report/shell-word.ts';
import { MOST_COLUMNS } from '../layout.ts';
import { broken } from '../layout.ts';
import { asTyped, type Terminal } from '../terminal.ts';

export async function init(
  { args: [named], options: { yes, ...given } }: Request<InitOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  const folder = named === undefined ? folderHere() : path.resolve(named);
  const root = repositoryOf(folder);
  const { files, steps } = isBegun(folder)
    ? goOn(folder, given)
    : await begin(folder, given, yes ? null : terminal.ask);
  for (const each of files) {
    const isNew = !existsSync(each.file);
    if (isNew) await write(each);
    terminal.out(`${isNew ? 'wrote' : 'kept '}  ${shown(each.file)}`);
  }
  const again = named === undefined ? 'touchstone init' : `touchstone init ${shellWord(named)}`;
  for (const line of ['', ...steps].map((text) => asTyped(text, terminal))) terminal.out(line);
  if (root === null) {
    const advice = asTyped(withoutRepository(folder, again), terminal);
    for (const line of ['', ...broken(advice, MOST_COLUMNS)]) terminal.out(line);
  }
  return EXIT.done;
}

/** All that is to be written, and the lines that say what to do then. */
interface ToBegin {
  files: InitFile[];
  steps: string[];
}

/** @param ask null or undefined where nobody is asked, and each question has its usual answer */
async function begin(folder: string, given: GivenAnswers, ask: Terminal['ask'] | null): Promise<ToBegin> {
  const above = path.relative('.', folder) === '' ? null : path.dirname(folder);
  const answers = await askAll(ask ?? (() => Promise.resolve('')), above, given);
  const { app, agent } = answers;
  const own = path.join(folder, agentFile(agent));
  const first =
    app.kind === 'page'
      ? 'its task passes'
      : `its task fails until ${shown(path.join(folder, FIRST_TASK))} has the heading of your page`;
  const measured = `The first run measures ${shown(own)}: ${first}.`;
  return { files: filesFor(folder, answers), steps: [...nextSteps(folder, agent), '', measured, ...ofBundles(folder)] };
}

/**
 * Goes on where a suite was begun: asked about its app again, somebody might answer otherwise.
 * @throws UsageError when something is said of its app all the same
 */
function goOn(folder: string, { language, ...ofApp }: GivenAnswers): ToBegin {
  const flags = Object.entries(ofApp).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`]));
  if (flags.length > 0) {
    throw new UsageError(fact('already_begun', { folder: shown(folder), flags }));
  }
  const agent = language ?? null;
  const kept = `The suite that was begun before stays as it is: ${shown(folder)}`;
  const added =
    agent === null
      ? []
      : [`To run this agent, too, name it in ${shown(path.join(folder, OWN_CAMPAIGN))}: ./${agentFile(agent)}`];
  return { files: filesForBegun(folder, agent), steps: [kept, ...added, '', ...nextSteps(folder, agent)] };
}

async function write(each: InitFile): Promise<void> {
  await mkdir(path.dirname(each.file), { recursive: true });
  if ('copyOf' in each) await cp(each.copyOf, each.file, { recursive: true, errorOnExist: true, force: false });
  else await writeFile(each.file, each.text, { flag: 'wx' });
}

/** Says for which root the workflow is written where there is none to see. */
function withoutRepository(folder: string, again: string): string {
  const root = rootFor(folder);
  const workflow = shown(path.join(root, WORKFLOW));
  return `This is in no git repository yet. ${workflow} works in one that begins in ${root}: run "git init" there. If it is to begin in a folder above that, run "git init" in that one, delete ${workflow}, and type "${again}" here again: it writes the workflow where it belongs, and keeps everything else.`;
}

function nextSteps(folder: string, agent: Answers['agent'] | null): string[] {
  const place = shown(folder);
  const own = path.join(folder, agentFile('node'));
  const install = agent === 'node' && !canImport('playwright-core', own);
  // A run finds the campaign of this folder, and where there is none that of our folder in it.
  const isFound = place === '.' || (place === OWN_FOLDER && !existsSync(OWN_CAMPAIGN));
  const run = isFound ? 'touchstone run' : `touchstone run --campaign ${shellWord(path.join(place, OWN_CAMPAIGN))}`;
  return [
    ...(install ? [`  npm install --prefix ${shellWord(shown(path.dirname(own)))}`] : []),
    `  touchstone validate ${shellWord(place)}`,
    `  ${run}`,
  ];
}

/** Says where bundles go, and how git ignores them: the file that is written is for its own folder alone. */
function ofBundles(folder: string): string[] {
  const bundles = 'Its bundle goes to bundles/ in this folder.';
  const isOwn = shown(folder) === '.';
  if (isIgnored('bundles') || (isOwn && !existsSync('.gitignore'))) return [bundles];
  const written = shown(path.join(folder, '.gitignore'));
  return [
    bundles,
    'Have git ignore that: echo bundles/ >> .gitignore',
    ...(isOwn ? [] : [`(${written} is for bundles of runs that are started in ${shown(folder)}.)`]),
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
