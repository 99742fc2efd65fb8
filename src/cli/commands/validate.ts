import { stat } from 'node:fs/promises';
import { printable, printableLines } from '../../report/printable.ts';
import { type FileProblem, formatProblem } from '../../task/source/source.ts';
import { loadSuite } from '../../task/load-suite.ts';
import { loadTaskFile } from '../../task/load-task.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { Options } from '../options.ts';
import { codeProblems } from '../suite-code.ts';
import { builtInSuites, relative, suiteFolder } from '../suites.ts';

interface Checked {
  name: string;
  tasks: number;
  problems: FileProblem[];
  warnings: FileProblem[];
}

export const validate = defineCommand({
  usage: 'validate [places...]',
  about: 'Check suites (names or folders) and single task files, and report all that is wrong with them at once.',
  options: Options.pick({ json: true }),
  examples: ['touchstone validate basics', 'touchstone validate ./my-suite ./draft-task.yaml'],
  async run(args, { json }, terminal) {
    const checked = await Promise.all((args.length > 0 ? args : builtInSuites()).map(check));
    const problems = checked.flatMap((each) => each.problems.map(relative));
    const warnings = checked.flatMap((each) => each.warnings.map(relative));
    if (json) {
      terminal.out(printable(JSON.stringify({ ok: problems.length === 0, problems, warnings })));
    } else {
      for (const warning of warnings) terminal.note(`warning: ${printableLines(formatProblem(warning))}`);
      for (const problem of problems) terminal.out(printableLines(formatProblem(problem)));
      for (const { name, tasks, problems: own } of checked) {
        if (own.length === 0) terminal.out(`${name}: ${tasks} task${tasks === 1 ? '' : 's'}, no problem`);
      }
    }
    return problems.length === 0 ? EXIT.done : EXIT.badInput;
  },
});

async function check(name: string): Promise<Checked> {
  const isFile = await stat(name).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (isFile) {
    const loaded = await loadTaskFile(name);
    return loaded.ok
      ? { name, tasks: loaded.tasks.length, problems: [], warnings: [] }
      : { name, tasks: 0, problems: loaded.problems, warnings: [] };
  }
  const loaded = await loadSuite(suiteFolder(name));
  const { warnings } = loaded;
  if (!loaded.ok) return { name, tasks: 0, problems: loaded.problems, warnings };
  return { name, tasks: loaded.suite.tasks.length, problems: await codeProblems(loaded.suite), warnings };
}
