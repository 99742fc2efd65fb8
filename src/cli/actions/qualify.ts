import { fact } from '../../messages/messages.ts';
import path from 'node:path';
import { keepBrowsers } from '../../browser/kept-browsers.ts';
import { createRedactor, secretsFromEnvironment } from '../../bundle/redact.ts';
import type { AgentChoice } from '../../agent/agent-choice.ts';
import { closedBookAgent } from '../../agent/kinds/controls.ts';
import { Entrants } from '../../plan/entrants.ts';
import {
  type Qualification,
  qualificationFile,
  qualificationPins,
  readQualification,
} from '../../plan/qualification.ts';
import type { TaskQualification } from '../../plan/task-qualification.ts';
import { loadSuiteWorld } from '../../run/suite-world.ts';
import { cacheFolder } from '../../process/own-folder.ts';
import { type Qualified, qualifySuite } from '../../qualify/qualify.ts';
import { type RefusedProof, setRefusedAside } from '../../qualify/earlier-proofs.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { Column } from '../../report/document.ts';
import type { LoadedSuite } from '../../task/load-suite.ts';
import { formatProblem } from '../../task/source/source.ts';
import { colours } from '../colours.ts';
import { counted } from '../../report/numbers.ts';
import {
  endsAdvice,
  mutantAdvice,
  changedText,
  columnsNote,
  falsePassesText,
  missesText,
  reasonsToShow,
  volatileText,
  weakenedText,
  otherwiseLines,
  thinText,
  verdictText,
  BOUNDS,
  boundsOf,
} from '../qualify-words.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { onInterruption } from '../interruption.ts';
import { environmentWithFile, modelSetup } from '../model-setup.ts';
import { progressOn } from '../qualify-progress.ts';
import { qualifyingOf } from '../proofs-line.ts';
import { readSecret } from '../secret-file.ts';
import { loadSuites, refuseInstalled, relative } from '../suites.ts';
import { tableOf } from '../terminal-sections.ts';
import { noteInterruption, type Terminal } from '../terminal.ts';
import type { Request } from '../command.ts';
import type { QualifyArguments } from '../commands/write.ts';

export async function qualify(
  {
    args,
    options: { json, out, secretFile, closedBook: model, prompt, workers, table, ...asGiven },
    given,
  }: Request<QualifyArguments>,
  terminal: Terminal,
): Promise<ExitCode> {
  const suites = await loadSuites(args, terminal, await readSecret(secretFile));
  if (table) return await printBounds(suites, terminal);
  refuseInstalled(suites.map(qualificationFile));
  const asked = await closedBookOf(model, prompt, suites);
  const stop = new AbortController();
  const forgetSignals = onInterruption(() => {
    noteInterruption(terminal, 'stopping after this episode; the same command goes on from here');
    stop.abort();
  });
  const done: Qualified[] = [];
  // Each task is a campaign of its own, and a short one.
  const endBrowsers = keepBrowsers();
  try {
    for (const [index, suite] of suites.entries()) {
      noteRefused(suite, await setRefusedAside(suite, out), terminal);
      const qualified = await qualifySuite({
        ...asked,
        ...(await settingsFor(suite, asGiven, given)),
        suite,
        suiteName: args[index] ?? suite.id,
        only: asGiven.task ?? null,
        again: asGiven.again,
        workers,
        store: cacheFolder('trials'),
        folderFor: (task, hash) => path.join(out, `qualify-${suite.id}-${task}-${hash.slice(0, 12)}`),
        listener: progressOn(suite.id, terminal),
        signal: stop.signal,
      });
      done.push(qualified);
      if (!json) print(qualified, qualificationFile(suite), terminal);
      if (stop.signal.aborted) break;
    }
  } finally {
    forgetSignals();
    await endBrowsers();
  }
  if (json) terminal.out(JSON.stringify(done));
  return done.every(isQualified) ? EXIT.done : EXIT.gateNotMet;
}

/** Prints how much the current proofs of suites tried, and tries nothing. */
async function printBounds(suites: readonly LoadedSuite[], terminal: Terminal): Promise<ExitCode> {
  const rows: string[][] = [];
  for (const suite of suites) {
    const { appHash } = await loadSuiteWorld(suite);
    rows.push(boundsOf(suite.id, Object.values(await qualificationPins(suite, appHash))));
  }
  const columns = BOUNDS.map((head, at) => ({
    head,
    words: at === 0,
    text: (row: readonly string[]) => row[at] ?? '',
  }));
  for (const line of tableOf(columns, rows, terminal)) terminal.out(line);
  return EXIT.done;
}

/** Explains why a proof cannot be used, and where it is kept. */
function noteRefused({ id }: LoadedSuite, refused: RefusedProof | null, terminal: Terminal): void {
  if (refused === null) return;
  const [first, ...others] = refused.problems.map((problem) => formatProblem(relative(problem)));
  const more = others.length === 0 ? '' : ` (and ${counted(others.length, 'more problem')})`;
  terminal.note(colours.yellow(`${id}: its proof cannot be used, and is made again: ${first ?? ''}${more}`));
  terminal.note(`${id}: the old one is kept as ${refused.place}`);
}

/** Returns the settings of the trials: those of an earlier proof, unless the command line sets them. */
async function settingsFor(
  suite: LoadedSuite,
  given: { surface: string[]; seed: number; repetitions: number; perturbations: number },
  named: readonly string[],
) {
  const [surface, ...others] = given.surface;
  if (surface === undefined || others.length > 0) throw new UsageError(fact('several_surfaces'));
  const { seed, repetitions, perturbations } = given;
  const own = { surface, seed, repetitions, perturbations };
  const earlier = await readQualification(suite);
  if (earlier === null) return own;
  return {
    surface: named.includes('surface') ? own.surface : earlier.surface,
    seed: named.includes('seed') ? own.seed : earlier.seed,
    repetitions: named.includes('repetitions') ? own.repetitions : earlier.repetitions,
    perturbations: named.includes('perturbations') ? own.perturbations : earlier.perturbations,
  };
}

/** Returns the model that is asked without tools, and the redactor of its key. */
async function closedBookOf(name: string | undefined, prompt: string | undefined, suites: readonly LoadedSuite[]) {
  if (prompt !== undefined && name === undefined) throw new UsageError(fact('prompt_without_model'));
  const environment = environmentWithFile('.', process.env);
  const names = name === undefined ? [] : [name];
  const entrants = await Entrants.load({}, modelSetup(names, { prompt }, environment, suites));
  const redactor = createRedactor(secretsFromEnvironment(environment, entrants.secrets));
  if (name === undefined) return { closedBook: null, redactor };
  const model = modelOf(name, entrants);
  return { closedBook: closedBookAgent(model), redactor };
}

/** @throws UsageError when it is not a model, or has no key: neither other agents nor cassettes can replace it here */
function modelOf(name: string, entrants: Entrants): AgentChoice {
  try {
    const model = entrants.agent(name);
    model.assertReady?.();
    if (model.decider === 'model') return model;
  } catch (error) {
    throw notClosedBook(messageOf(error));
  }
  throw notClosedBook(`${name} is not a model`);
}

function notClosedBook(why: string): UsageError {
  return new UsageError(fact('closed_book', { why }));
}

function chosen({ asked, proof }: Qualified): [string, TaskQualification][] {
  return Object.entries(proof?.tasks ?? {}).filter(([name]) => asked.includes(name));
}

function isQualified(qualified: Qualified): boolean {
  return qualified.proof !== null && chosen(qualified).every(([, { verdict }]) => verdict === 'qualified');
}

function print(qualified: Qualified, file: string, terminal: Terminal): void {
  const { proof, folders, findings } = qualified;
  // A task has at most two bundles, the one of its solution first.
  const trials = folders.length < 3 ? folders.join(' and ') : `${path.dirname(folders[0] ?? '')}/qualify-…`;
  if (proof === null) {
    terminal.out(`ended early; what is done is in ${trials}`);
    return;
  }
  const tasks = chosen(qualified);
  for (const line of tableOf(COLUMNS, tasks, terminal)) terminal.out(line);
  for (const line of columnsNote()) terminal.out(line);
  for (const [name, each] of tasks) {
    const { volatile, mutants, perturbed } = each;
    const { otherwise: explained = [], left = null, tooWide = null } = findings[name] ?? {};
    for (const reason of reasonsToShow(each, explained)) terminal.out(`${name}: ${reason}`);
    const thin = thinText(each);
    if (thin !== null) terminal.out(`${name}: ${thin}`);
    if (volatile.length > 0) terminal.out(`${name}: ${volatileText(each)}`);
    for (const line of endsAdvice(perturbed, left)) terminal.out(`${name}: ${line}`);
    for (const line of otherwiseLines(name, explained)) terminal.out(line);
    const alive = mutants.filter(({ killed_by: by, waived }) => by === null && waived === null);
    for (const { mutant } of alive) terminal.out(`${name}: ${mutantAdvice(mutant, tooWide)}`);
    if (alive.length > 0)
      terminal.out(`${name}: if no near-miss can show it, give the reason in the suite file (waivers)`);
    for (const { mutant, waived } of mutants) {
      if (waived !== null) terminal.out(`${name}: waived ${mutant}: ${waived}`);
    }
  }
  const ends = falsePassesText(
    tasks.map(([, each]) => each),
    proof.perturbations,
  );
  if (ends !== null) terminal.out(ends);
  const where = folders.length === 0 ? '' : `, trials in ${trials}`;
  terminal.out(`${summaryOf(proof, tasks)}; proof in ${file}${where}`);
}

const COLUMNS: readonly Column<[name: string, proof: TaskQualification]>[] = [
  { head: 'task', words: true, text: ([name]) => name },
  { head: 'verdict', words: true, text: ([, each]) => verdictText(each) },
  { head: 'reference', words: true, text: ([, { reference }]) => `${reference.passed}/${reference.of}` },
  { head: 'near-misses', words: true, text: ([, { near_misses: misses }]) => missesText(misses) },
  { head: 'weakened contracts', words: true, text: ([, { mutants }]) => weakenedText(mutants) },
  { head: 'changed solutions', words: true, text: ([, each]) => changedText(each) },
];

function summaryOf({ suite }: Qualification, tasks: readonly [string, TaskQualification][]): string {
  const good = tasks.filter(([, { verdict }]) => verdict === 'qualified').length;
  return `${suite}: ${qualifyingOf(good, tasks.length)}`;
}
