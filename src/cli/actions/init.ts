import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fact } from '../../messages/messages.ts';
import { shellWord } from '../../report/shell-word.ts';
import type { Request } from '../command.ts';
import type { InitOptions } from '../commands/run.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { type Answers, askAll, type GivenAnswers } from '../init/answers.ts';
import { agentFile, filesFor, filesForBegun, FIRST_TASK, type InitFile, WORKFLOW } from '../init/files.ts';
import { folderHere, isBegun, OWN_CAMPAIGN, OWN_FOLDER, repositoryOf, rootFor } from '../init/places.ts';
import { wrapped, MOST_COLUMNS } from '../layout.ts';
import { asTyped, type Terminal } from '../terminal.ts';

export async function init(
  { args: [named], options: { yes, ...given } }: Request<InitOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  const folder = named === undefined ? folderHere() : path.resolve(named);
  const { files, steps } = isBegun(folder)
    ? goOn(folder, given)
    : await begin(folder, given, yes ? undefined : terminal.ask);
  const hasRepository = repositoryOf(folder) !== null;
  for (const each of files) {
    const isNew = !existsSync(each.file);
    if (isNew) await write(each);
    terminal.out(`${isNew ? 'wrote' : 'kept '}  ${shown(each.file)}`);
  }
  const again = named === undefined ? 'touchstone init' : `touchstone init ${shellWord(named)}`;
  const advice = hasRepository
    ? []
    : ['', ...wrapped(asTyped(withoutRepository(folder, again), terminal), MOST_COLUMNS)];
  for (const line of ['', ...steps.map((text) => asTyped(text, terminal)), ...advice]) terminal.out(line);
  return EXIT.done;
}

/** The files to write, and the lines that explain what to do next. */
interface ToBegin {
  files: InitFile[];
  steps: string[];
}

/** @param ask undefined if each question has its default answer */
async function begin(folder: string, given: GivenAnswers, ask: Terminal['ask']): Promise<ToBegin> {
  const above = path.relative('.', folder) === '' ? null : path.dirname(folder);
  const answers = await askAll(ask ?? (() => Promise.resolve('')), above, given);
  const { app, agent } = answers;
  const first =
    app.kind === 'page'
      ? 'its task passes'
      : `its task fails until ${shown(path.join(folder, FIRST_TASK))} has the heading of your page`;
  const measured = `The first run measures ${shown(path.join(folder, agentFile(agent)))}: ${first}.`;
  const bundle = 'Its bundle goes to bundles/ in this folder.';
  return { files: filesFor(folder, answers), steps: [...nextSteps(folder, agent), '', measured, bundle] };
}

/**
 * Completes a suite that was begun before.
 * @throws UsageError when an option describes its app
 */
function goOn(folder: string, { language: agent, ...ofApp }: GivenAnswers): ToBegin {
  const flags = Object.entries(ofApp).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`]));
  if (flags.length > 0) throw new UsageError(fact('already_begun', { folder: shown(folder), flags }));
  const added =
    agent === undefined
      ? []
      : [`To run this agent, too, name it in ${shown(path.join(folder, OWN_CAMPAIGN))}: ./${agentFile(agent)}`];
  const kept = `The suite that was begun before stays as it is: ${shown(folder)}`;
  return {
    files: filesForBegun(folder, agent ?? null),
    steps: [kept, ...added, '', ...nextSteps(folder, agent ?? null)],
  };
}

async function write(each: InitFile): Promise<void> {
  await mkdir(path.dirname(each.file), { recursive: true });
  if ('copyOf' in each) await cp(each.copyOf, each.file, { recursive: true, errorOnExist: true, force: false });
  else await writeFile(each.file, each.text, { flag: 'wx' });
}

/** Explains for which root the workflow was written. */
function withoutRepository(folder: string, again: string): string {
  const root = rootFor(folder);
  const workflow = shown(path.join(root, WORKFLOW));
  return `This is in no git repository yet. ${workflow} works in one that begins in ${root}: run "git init" there. To begin it in a folder above, run "git init" there, delete ${workflow}, and type "${again}" here again.`;
}

function nextSteps(folder: string, agent: Answers['agent'] | null): string[] {
  const place = shown(folder);
  const own = path.join(folder, agentFile('node'));
  const install = agent === 'node' && !canImport('playwright-core', own);
  // A run finds the campaign of this folder, or else that of our folder in it.
  const isFound = place === '.' || (place === OWN_FOLDER && !existsSync(OWN_CAMPAIGN));
  const run = isFound ? 'touchstone run' : `touchstone run --campaign ${shellWord(path.join(place, OWN_CAMPAIGN))}`;
  return [
    ...(install ? [`  npm install --prefix ${shellWord(shown(path.dirname(own)))}`] : []),
    `  touchstone validate ${shellWord(place)}`,
    `  ${run}`,
  ];
}

/** Whether a script would find a package. */
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
