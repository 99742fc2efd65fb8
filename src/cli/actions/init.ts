import { existsSync, readFileSync, rmSync } from 'node:fs';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { FactError } from '../../messages/fact-error.ts';
import { fact } from '../../messages/messages.ts';
import { canImport } from '../../process/packages.ts';
import { shellWord } from '../../report/shell-word.ts';
import type { Request } from '../command.ts';
import type { InitOptions } from '../commands/run.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { type Answers, askAll } from '../init/answers.ts';
import { agentFile, filesFor, filesForBegun, FIRST_TASK, type InitFile, SMALL_PAGE, WORKFLOW } from '../init/files.ts';
import { readHeading } from '../init/first-look.ts';
import {
  folderOfSuite,
  ignoreBundles,
  isBegun,
  OWN_CAMPAIGN,
  OWN_FOLDER,
  packageAbove,
  repositoryOf,
  rootFor,
} from '../init/places.ts';
import { wrapped, MAX_COLUMNS } from '../layout.ts';
import { whileWaiting } from '../live/progress-display.ts';
import { loadSuites } from '../suites.ts';
import { asTyped, type Terminal } from '../terminal.ts';
import { WorldError } from '../../world/error.ts';

const Versions = z.record(z.string(), z.string()).optional();
const Manifest = z.looseObject({ dependencies: Versions, devDependencies: Versions });

export async function init(
  { args: [named], options: { yes, ...given } }: Request<InitOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  const folder = folderOfSuite(named);
  const { files, steps } = isBegun(folder)
    ? await goOn(folder, given)
    : await begin(folder, { ...given, ask: yes ? undefined : terminal.ask }, terminal);
  const hasRepository = repositoryOf(folder) !== null;
  for (const { file, isNew } of files) terminal.out(`${isNew ? 'wrote' : 'kept '}  ${shown(file)}`);
  for (const { file, added, isNew } of ignoreBundles(folder)) {
    const isLonger = !isNew && added.length > 0;
    terminal.out(
      isLonger ? `added  ${added.join(', ')} to ${shown(file)}` : `${isNew ? 'wrote' : 'kept '}  ${shown(file)}`,
    );
  }
  const again = named === undefined ? 'touchstone init' : `touchstone init ${shellWord(named)}`;
  const advice = [packageForWorkflow(folder), ...(hasRepository ? [] : [withoutRepository(folder, again)])];
  const wide = advice.flatMap((text) => ['', ...wrapped(asTyped(text, terminal), MAX_COLUMNS)]);
  for (const line of ['', ...steps.map((text) => asTyped(text, terminal)), ...wide]) terminal.out(line);
  return EXIT.done;
}

/** The files that were written, and the lines that explain what to do next. */
interface Begun {
  files: Written[];
  steps: string[];
}

type Given = Omit<InitOptions, 'yes'> & { ask: Terminal['ask'] };

/** @throws UsageError when the app shows no page and nothing can be asked; nothing is written then */
async function begin(folder: string, { ask, ...given }: Given, terminal: Terminal): Promise<Begun> {
  const above = path.relative('.', folder) === '' ? null : path.dirname(folder);
  let answers = await askAll(ask ?? (() => Promise.resolve('')), above, given, false);
  for (;;) {
    const known = answers.app.kind === 'page' ? SMALL_PAGE : given.heading;
    const tried = await writtenFor(folder, answers, known, terminal);
    if ('files' in tried) {
      const { agent } = answers;
      const measured = `The first run measures ${shown(path.join(folder, agentFile(agent)))}: its task passes.`;
      const bundle = 'Its bundle goes to bundles/ in this folder.';
      return { files: tried.files, steps: [...nextSteps(folder, agent), '', measured, bundle] };
    }
    const { error } = tried;
    const port = portElsewhere(error);
    if (answers.app.kind === 'command' && answers.app.port === null && port !== null) {
      terminal.note(`your app listens on port ${port} and not on the one in PORT; trying that one`);
      answers = { ...answers, app: { ...answers.app, port } };
    } else if (ask === undefined) {
      throw new UsageError(fact('app_not_shown', { why: error.message.split('\n'), remedy: error.remedy }));
    } else {
      for (const line of [...error.message.split('\n'), `  ${error.remedy}`]) terminal.note(line);
      answers = await askAll(ask, above, { language: answers.agent }, true);
    }
  }
}

/** Writes the files for these answers; if the heading is not known, reads it from the app, and takes them back if that fails. */
async function writtenFor(
  folder: string,
  answers: Answers,
  known: string | undefined,
  terminal: Terminal,
): Promise<{ files: Written[] } | { error: FactError }> {
  const files: Written[] = [];
  const takeBack = (): void => {
    for (const { made, isNew } of files) if (isNew) rmSync(made, { recursive: true, force: true });
  };
  process.once('exit', takeBack);
  try {
    await writeAll(filesFor(folder, answers, known ?? null), files);
    if (known !== undefined) return { files };
    const [suite] = await loadSuites([folder], terminal);
    if (suite === undefined) throw new Error('a new suite was not found');
    if (answers.app.kind === 'address') await reach(answers.app.address);
    const { heading, at } = await whileWaiting('starting your app', terminal, () => readHeading(suite));
    const task = files.find(({ file, isNew }) => isNew && file === path.join(folder, FIRST_TASK));
    for (const each of filesFor(folder, answers, heading))
      if (each.file === task?.file && 'text' in each) await writeFile(each.file, each.text);
    terminal.out(`read   "${heading}" at ${at}`);
    return { files };
  } catch (error) {
    takeBack();
    if (error instanceof UsageError || error instanceof WorldError) return { error };
    throw error;
  } finally {
    process.off('exit', takeBack);
  }
}

/** @throws UsageError when no server answers at an address */
async function reach(address: string): Promise<void> {
  const response = await fetch(address, { signal: AbortSignal.timeout(30_000) }).catch(() => null);
  if (response === null) throw new UsageError(fact('app_silent', { address }));
  await response.body?.cancel();
}

/** The port at which an app listens in place of ours; null if it has several or none. */
function portElsewhere({ code, params }: FactError): number | null {
  const port = code === 'app_not_listening' ? Number(params['elsewhere']) : Number.NaN;
  return Number.isInteger(port) && port > 0 ? port : null;
}

/**
 * Completes a suite that was begun before.
 * @throws UsageError when an option describes its app
 */
async function goOn(folder: string, { language: agent, ...ofApp }: Omit<InitOptions, 'yes'>): Promise<Begun> {
  const flags = Object.entries(ofApp).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`]));
  if (flags.length > 0) throw new UsageError(fact('already_begun', { folder: shown(folder), flags }));
  const added =
    agent === undefined
      ? []
      : [`To run this agent, too, name it in ${shown(path.join(folder, OWN_CAMPAIGN))}: ./${agentFile(agent)}`];
  const kept = `The suite that was begun before stays as it is: ${shown(folder)}`;
  return {
    files: await writeAll(filesForBegun(folder, agent ?? null)),
    steps: [kept, ...added, '', ...nextSteps(folder, agent ?? null)],
  };
}

interface Written {
  file: string;
  isNew: boolean;
  /** The outermost folder that was made for it, or itself. */
  made: string;
}

/** @param written gets each file once it is there */
async function writeAll(files: readonly InitFile[], written: Written[] = []): Promise<Written[]> {
  for (const each of files) {
    const isNew = !existsSync(each.file);
    if (isNew) written.push({ file: each.file, isNew, made: await write(each) });
    else written.push({ file: each.file, isNew, made: '' });
  }
  return written;
}

async function write(each: InitFile): Promise<string> {
  const made = await mkdir(path.dirname(each.file), { recursive: true });
  if ('copyOf' in each) await copyFiles(each.copyOf, each.file);
  else await writeFile(each.file, each.text, { flag: 'wx' });
  return made ?? each.file;
}

/** Copies the files of an app, which may lie around the folder to which they are copied. */
async function copyFiles(from: string, to: string): Promise<void> {
  for (const name of await readdir(from)) {
    const place = path.join(from, name);
    const isOfApp = name !== 'node_modules' && !name.startsWith('.git') && !`${to}/`.startsWith(`${place}/`);
    if (isOfApp) await cp(place, path.join(to, name), { recursive: true, errorOnExist: true, force: false });
  }
}

/** Explains from where the workflow installs this package, and what that needs. */
function packageForWorkflow(folder: string): string {
  const manifest = packageAbove(folder) ?? path.join(folder, 'package.json');
  const { dependencies, devDependencies } = Manifest.parse(JSON.parse(readFileSync(manifest, 'utf8')));
  const named = dependencies?.['touchstone'] ?? devDependencies?.['touchstone'] ?? '';
  const archive = path.resolve(path.dirname(manifest), named.replace(/^file:/, ''));
  if (!named.startsWith('file:'))
    return `The workflow installs Touchstone as ${shown(manifest)} names it. It is not on npm yet: commit its archive in ${rootFor(folder)}, and type "npm install --save-dev <archive>".`;
  if (path.relative(rootFor(folder), archive).startsWith('..'))
    return `The workflow cannot install Touchstone from ${archive}, outside the repository: copy the archive into it, and type "npm install --save-dev <archive>".`;
  return `The workflow installs Touchstone from ${shown(archive)}: commit it, package.json and package-lock.json.`;
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

function shown(place: string): string {
  return path.relative('.', place) || '.';
}
