import { stat } from 'node:fs/promises';
import { loadQualification, qualificationPins } from '../../plan/qualification.ts';
import { staleProofs } from '../../run/stale-proofs.ts';
import { closeSuiteWorld, loadSuiteWorld } from '../../run/suite-world.ts';
import { promptProblems } from '../../agent/prompt-problems.ts';
import { type FileProblem, formatProblem } from '../../task/source/source.ts';
import { taskName } from '../../task/instance.ts';
import { type LoadedSuite, loadSuite } from '../../task/load-suite.ts';
import { loadTaskFile } from '../../task/load-task.ts';
import type { Task } from '../../task/schema.ts';
import { asTyped, type Terminal } from '../terminal.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { proofsLine } from '../proofs-line.ts';
import { codeProblems } from '../suite-code.ts';
import { builtInPrompts, readPrompt } from '../prompts.ts';
import { builtInSuites, isSuiteFile, relative, suiteFolder } from '../suites.ts';
import type { Request } from '../command.ts';
import type { ValidateOptions } from '../commands/validate.ts';
import { counted } from '../../report/numbers.ts';

interface Checked {
  name: string;
  tasks: Task[];
  problems: FileProblem[];
  warnings: FileProblem[];
  /** A line that says how many tasks are proved to qualify; null where nobody asks. */
  proofs: string | null;
}

export async function validate(
  { args, options: { prompt, json } }: Request<ValidateOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  const suites = await Promise.all((args.length > 0 ? args : builtInSuites()).map(check));
  const tasks = suites.flatMap((each) => each.tasks);
  const prompts = prompt === undefined ? builtInPrompts() : [prompt];
  const checked = [...suites, ...prompts.map((name) => checkPrompt(name, tasks))];
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

/** A prompt is checked against the tasks that it would be used on. */
function checkPrompt(name: string, tasks: readonly Task[]): Checked {
  const { file, text } = readPrompt(name);
  return { name, tasks: [], problems: promptProblems(file, text, tasks), warnings: [], proofs: null };
}

async function check(name: string): Promise<Checked> {
  const isFile = await stat(name).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (isFile && !isSuiteFile(name)) {
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
  return { name, tasks, warnings, ...(await proofsOf(suite, name)) };
}

const NOTHING = { tasks: [], problems: [], warnings: [], proofs: null } satisfies Omit<Checked, 'name'>;

/** A proof that cannot be read is a problem; one that is missing or stale is not, but nothing counts without it. */
async function proofsOf(suite: LoadedSuite, name: string): Promise<Pick<Checked, 'problems' | 'proofs'>> {
  const read = await loadQualification(suite);
  if (!read.ok) return { problems: read.problems, proofs: null };
  const world = await loadSuiteWorld(suite);
  closeSuiteWorld(world);
  const proofs = await qualificationPins(suite, world.appHash);
  const stale = await staleProofs([suite], { [suite.id]: world.appHash });
  const tasks = suite.tasks.map(({ task }) => ({ suite: suite.id, task: taskName(task) }));
  return { problems: [], proofs: proofsLine(tasks, proofs, [name], stale) };
}
