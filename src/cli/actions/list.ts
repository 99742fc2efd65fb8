import { printable } from '../../report/printable.ts';
import { taskName } from '../../task/instance.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { knownEntrants } from '../known-entrants.ts';
import { builtInSuites, loadSuites } from '../suites.ts';
import { table, type Terminal } from '../terminal.ts';
import type { Request } from '../command.ts';
import type { ListOptions } from '../commands/list.ts';

export async function list({ args, options: { json } }: Request<ListOptions>, terminal: Terminal): Promise<ExitCode> {
  const suites = await loadSuites(args.length > 0 ? args : builtInSuites(), terminal);
  const entrants = await knownEntrants();
  const agents = entrants.agents.map(({ id, about }) => ({ id, about }));
  const surfaces = entrants.surfaces.map(({ id, version, interaction, differences = null }) => ({
    id,
    version,
    interaction,
    differences,
  }));
  const shown = suites.map(({ id, title, tasks }) => ({
    id,
    title,
    tasks: tasks.map(({ task }) => ({ id: taskName(task), title: task.title, category: task.category ?? null })),
  }));
  if (json) {
    terminal.out(printable(JSON.stringify({ suites: shown, agents, surfaces })));
    return EXIT.done;
  }
  const tasks = shown.flatMap((suite) => suite.tasks.map((task) => [suite.id, task.id, task.title]));
  for (const line of table([['suite', 'task', 'title'], ...tasks])) terminal.out(line);
  terminal.out('');
  for (const line of table([['agent', 'what it does'], ...agents.map(({ id, about }) => [id, about])]))
    terminal.out(line);
  terminal.out('');
  const rows = surfaces.map(({ id, version, interaction }) => [id, version, interaction]);
  for (const line of table([['surface', 'version', 'interaction'], ...rows])) terminal.out(line);
  return EXIT.done;
}
