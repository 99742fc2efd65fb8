import path from 'node:path';
import { existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { loadQualification, qualificationPins } from '../../plan/qualification.ts';
import { staleProofs } from '../../run/stale-proofs.ts';
import { loadSuiteWorld } from '../../run/suite-world.ts';
import { promptProblems } from '../../agent/prompt.ts';
import { type FileProblem, formatProblem, NOWHERE } from '../../task/source/source.ts';
import { taskName } from '../../task/instance.ts';
import { type LoadedSuite, loadSuite, type SoundParts } from '../../task/load-suite.ts';
import { loadTaskFile } from '../../task/load-task.ts';
import type { Task } from '../../task/schema.ts';
import { asTyped, type Terminal } from '../terminal.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { whileWaiting } from '../live/progress-display.ts';
import { proofsLine } from '../proofs-line.ts';
import { builtInPrompts, readPrompt } from '../built-in-files.ts';
import { builtInSuites, isSuiteFile, relative, suiteFolder } from '../suites.ts';
import type { Request } from '../command.ts';
import type { ValidateOptions } from '../commands/write.ts';
import { counted } from '../../report/numbers.ts';
import { fact } from '../../messages/messages.ts';
import { messageOf } from '../../contract/message-of.ts';
import { z } from 'zod';
import { parseTranscript } from '../../agent/transcript.ts';
import { readSource } from '../../task/source/read-source.ts';
import { Archive } from '../../world/archive/archive.ts';
import { ArchiveIndex } from '../../world/archive/matcher.ts';
import { WorldError } from '../../world/error.ts';
import type { CreateApp } from '../../world/app.ts';
import { loadApp } from '../../world/load-app.ts';
import { outsideApp, usuallyNeedless } from '../../world/outside-app/outside-app.ts';
import { realAppOf } from '../../world/real-app/define-real-app.ts';

interface Checked {
  name: string;
  tasks: Task[];
  problems: FileProblem[];
  warnings: FileProblem[];
  /** Counts the tasks that are proved to qualify, if that was requested. */
  proofs: string | null;
}

export async function validate(
  { args, options: { prompt, json } }: Request<ValidateOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  const names = args.length > 0 ? args : builtInSuites();
  const phase = `checking ${names.length === 1 ? names.join('') : counted(names.length, 'suite')}`;
  // Only a terminal shows that it goes on: in a log, a check has one outcome.
  const suites = await whileWaiting(phase, { ...terminal, note: () => {} }, () => Promise.all(names.map(check)));
  const tasks = suites.flatMap((each) => each.tasks);
  const prompts = prompt === undefined ? builtInPrompts() : [prompt];
  // The author of a suite cannot change our prompts, and only a model reads them.
  const isTheirs = prompt === undefined && args.length > 0;
  const checked = [...suites, ...prompts.map((name) => checkPrompt(name, tasks, isTheirs))];
  const problems = checked.flatMap((each) => each.problems.map(relative));
  const warnings = checked.flatMap((each) => each.warnings.map(relative));
  if (json) {
    const proofs = Object.fromEntries(
      suites.flatMap((each) => (each.proofs === null ? [] : [[each.name, each.proofs]])),
    );
    terminal.out(JSON.stringify({ ok: problems.length === 0, problems, warnings, proofs }));
  } else {
    for (const warning of warnings) terminal.note(`warning: ${formatProblem(warning)}`);
    for (const problem of problems) terminal.out(formatProblem(problem));
    for (const { name, tasks: own, problems: wrong, proofs } of suites) {
      if (wrong.length > 0) continue;
      const sound = `${name}: ${counted(own.length, 'task')}, no problem`;
      terminal.out(proofs === null ? sound : `${sound}; ${asTyped(proofs, terminal)}`);
    }
  }
  return problems.length === 0 ? EXIT.done : EXIT.badInput;
}

function checkPrompt(name: string, tasks: readonly Task[], onlyWarns: boolean): Checked {
  const { file, text } = readPrompt(name);
  const found = promptProblems(file, text, tasks);
  return { ...NOTHING, name, ...(onlyWarns ? { warnings: found } : { problems: found, warnings: [] }) };
}

async function check(name: string): Promise<Checked> {
  if (existsSync(name) && statSync(name).isFile() && !isSuiteFile(name)) {
    const loaded = await loadTaskFile(name);
    return loaded.ok
      ? { ...NOTHING, name, tasks: loaded.tasks.map(({ task }) => task) }
      : { ...NOTHING, name, problems: loaded.problems };
  }
  const loaded = await loadSuite(suiteFolder(name));
  const { warnings } = loaded;
  if (!loaded.ok) {
    const ofCode = loaded.sound === null ? [] : await codeProblems(loaded.sound);
    return { ...NOTHING, name, problems: [...loaded.problems, ...ofCode], warnings };
  }
  const { suite } = loaded;
  const tasks = suite.tasks.map(({ task }) => task);
  const problems = await codeProblems(suite);
  if (problems.length > 0) return { ...NOTHING, name, tasks, problems, warnings };
  return { name, tasks, warnings: [...warnings, ...(await needlessFiles(suite))], ...(await proofsOf(suite, name)) };
}

const NOTHING = { tasks: [], problems: [], warnings: [], proofs: null } satisfies Omit<Checked, 'name'>;

/** Finds proofs that cannot be read; a missing or stale proof is not a problem here. */
async function proofsOf(suite: LoadedSuite, name: string): Promise<Pick<Checked, 'problems' | 'proofs'>> {
  const read = await loadQualification(suite);
  if (!read.ok) return { problems: read.problems, proofs: null };
  const world = await loadSuiteWorld(suite);
  const proofs = await qualificationPins(suite, world.appHash);
  const stale = await staleProofs([suite], { [suite.id]: world.appHash });
  const tasks = suite.tasks.map(({ task }) => ({ suite: suite.id, task: taskName(task) }));
  return { problems: [], proofs: proofsLine(tasks, proofs, [name], stale) };
}

/** Finds problems in the apps, the archive and the transcripts of a suite, which a run would load. */
export async function codeProblems(suite: SoundParts): Promise<FileProblem[]> {
  const transcripts = await transcriptsIn(path.join(path.dirname(suite.file), 'transcripts'));
  const problems = await Promise.all([
    worldProblems(suite),
    ...transcripts.map((each) => problemIn(each, async () => parseTranscript(await readFile(each, 'utf8'), each))),
  ]);
  return problems.flat();
}

async function worldProblems({ file, world, tasks }: SoundParts): Promise<FileProblem[]> {
  if (world.kind === 'archive') return await archiveProblems(world, tasks);
  const problems = world.sites.map(async ({ origin, serves, path: place, program }) => {
    if (program !== undefined) {
      const found = await problemIn(file, async () => outsideApp({ origin, folder: place, app: program }));
      return await Promise.all(found.map((problem) => inProgram(problem, origin, 'command')));
    }
    if (serves !== 'app') return [];
    const own = tasks.find(({ task }) => task.startUrl.startsWith(`${origin}/`));
    return await problemIn(place, async () => assertState(await loadApp(place), own?.task.instance?.parameters ?? {}));
  });
  return (await Promise.all(problems)).flat();
}

/** Warnings for programs in a folder outside the suite's, usually a repository, of which nothing is left out. */
async function needlessFiles({ file, world }: LoadedSuite): Promise<FileProblem[]> {
  if (world.kind === 'archive') return [];
  const warnings = world.sites.map(async ({ origin, program, path: place }) => {
    if (program === undefined || program.leave_out !== undefined) return [];
    const found = path.relative(path.dirname(file), place).startsWith('..') ? usuallyNeedless(place) : [];
    if (found.length === 0) return [];
    const what = fact('app_with_needless_files', { found: found.join(', ') });
    return [await inProgram({ file, ...NOWHERE, path: [], what }, origin, 'folder')];
  });
  return (await Promise.all(warnings)).flat();
}

const NamedSites = z.object({ world: z.object({ sites: z.array(z.object({ origin: z.unknown() })) }) });

/** Places a problem with the program of a site at one of its fields in the suite file. */
async function inProgram(problem: FileProblem, origin: string, at: 'command' | 'folder'): Promise<FileProblem> {
  const read = await readSource(problem.file);
  if (!read.ok) return problem;
  const named = NamedSites.safeParse(read.value.value).data?.world.sites ?? [];
  const field = ['world', 'sites', named.findIndex((site) => site.origin === origin), 'program', at];
  return { ...problem, ...read.value.placeOf(field), path: field };
}

/** Makes an instance of an app to see whether it returns its state; a real application is only loaded. */
async function assertState(create: CreateApp, parameters: Record<string, string | number>): Promise<void> {
  if (realAppOf(create) !== null) return;
  const app = await create(parameters);
  await app.close?.();
  if (typeof Reflect.get(app, 'state') === 'function') return;
  throw new Error(
    'its app has no state(), so assertions on the state (app_state, unchanged) could never be judged; add "state: () => …", which returns all of it as JSON',
  );
}

/** Finds problems in an archive, and tasks that start on a missing page. */
async function archiveProblems(
  { file, ignoreQuery }: LoadedSuite['world'] & { kind: 'archive' },
  tasks: LoadedSuite['tasks'],
): Promise<FileProblem[]> {
  let archive: Archive;
  try {
    archive = await openChecked(file);
  } catch (error) {
    const remedy = error instanceof WorldError ? `; ${error.remedy}` : '';
    return [{ file, ...NOWHERE, path: [], what: fact('as_written', { text: `${messageOf(error)}${remedy}` }) }];
  }
  const index = new ArchiveIndex(archive.exchanges, ignoreQuery);
  return tasks.flatMap(({ file: taskFile, task: { id, startUrl } }) => {
    if (startUrl === 'about:blank') return [];
    if (index.find({ method: 'GET', url: startUrl, digest: null }).exchanges.length > 0) return [];
    const what = fact('start_not_in_archive', { task: id, url: startUrl, archive: path.basename(file) });
    return [{ file: taskFile, ...NOWHERE, path: ['startUrl'], what }];
  });
}

/** Reads all bodies of an archive, and closes it. */
async function openChecked(file: string): Promise<Archive> {
  const archive = await Archive.open(file);
  try {
    await archive.check();
  } finally {
    archive.close();
  }
  return archive;
}

async function transcriptsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => path.join(folder, name));
}

async function problemIn(file: string, load: () => Promise<unknown>): Promise<FileProblem[]> {
  try {
    await load();
    return [];
  } catch (error) {
    // Only the author of an app can fix it.
    const isItsOwn = error instanceof WorldError && error.cause instanceof Error && 'remedy' in error.cause;
    const remedy = isItsOwn ? `; ${error.remedy}` : '';
    const text = `${messageOf(error)}${remedy}`;
    // These errors name file and line, which have fields of their own here.
    const line = text.startsWith(`${file}:`) ? /^(\d+): /.exec(text.slice(file.length + 1)) : null;
    const own = line === null ? text : text.slice(file.length + 1 + line[0].length);
    const what = fact('as_written', { text: own.replaceAll(`${file} `, '').replaceAll(`${file}: `, '') });
    return [{ file, line: line === null ? null : Number(line[1]), column: null, path: [], what }];
  }
}
