import { taskName } from '../../task/instance.ts';
import { groupBy } from '../../claim/group.ts';
import { cutTo } from '../layout.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { builtInSuites, outlineSuites } from '../suites.ts';
import { tableOf } from '../terminal-sections.ts';
import { asTyped, type Terminal } from '../terminal.ts';
import type { Request } from '../command.ts';
import type { ListOptions } from '../commands/run.ts';
import { aboutModel, MODELS } from '../../model/models.ts';
import { Entrants } from '../../plan/entrants.ts';
import { surfaceGloss } from '../../report/glossary.ts';
import type { Surface } from '../../surface/surface.ts';

export async function list({ args, options: { json } }: Request<ListOptions>, terminal: Terminal): Promise<ExitCode> {
  const suites = (await outlineSuites(args.length > 0 ? args : builtInSuites(), terminal)).map(
    ({ id, title, tasks }) => ({
      id,
      title,
      tasks: tasks.map(({ task }) => ({ id: taskName(task), title: task.title, category: task.category ?? null })),
    }),
  );
  if (args.length > 0 && !json) {
    const tasks = suites.flatMap(({ id: suite, tasks: ofSuite }) => ofSuite.map(({ id, title }) => [suite, id, title]));
    for (const line of drawn(terminal, ['suite', 'task', 'title'], tasks)) terminal.out(line);
    return EXIT.done;
  }
  const { agents, surfaces } = await knownEntrants();
  if (json) {
    const shown = surfaces.map(({ id, version, interaction, differences = null }) => ({
      id,
      version,
      interaction,
      differences,
    }));
    terminal.out(JSON.stringify({ suites, agents, surfaces: shown }));
    return EXIT.done;
  }
  const models = groupBy(MODELS, ({ provider }) => provider);
  const isModel = new Set(MODELS.map(({ id }) => id));
  const missing = surfaces.flatMap(({ id, unavailable }) => (unavailable === null ? [] : [id]));
  const lines = [
    ...drawn(
      terminal,
      ['suite', 'tasks', 'title (for its tasks: touchstone list basics)'],
      suites.map(({ id, title, tasks }) => [id, String(tasks.length), title]),
    ),
    '',
    ...drawn(
      terminal,
      ['agent', 'what it does'],
      agents.flatMap(({ id, about }) => (isModel.has(id) ? [] : [[id, about]])),
    ),
    ...drawn(
      terminal,
      ['models of', 'agents (any other: openai:<model>)'],
      [...models].map(([provider, specs]) => [provider, specs.map(({ id }) => id).join(', ')]),
    ),
    '',
    ...drawn(
      terminal,
      ['surface', 'what the agent gets'],
      surfaces.flatMap(({ id, version }) =>
        missing.includes(id) ? [] : [[id, `${surfaceGloss(id) ?? 'the tools of a server'} (${version})`]],
      ),
    ),
  ];
  for (const line of lines) terminal.out(line);
  if (missing.length > 0) terminal.out(`not installed: ${missing.join(', ')}`);
  return EXIT.done;
}

/** Draws a table with a line for each row, cut to the width of a terminal. */
function drawn(terminal: Terminal, heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const [head = '', ...lines] = tableOf(
    heads.map((name, at) => ({ head: name, words: name !== 'tasks', text: (row: readonly string[]) => row[at] ?? '' })),
    rows,
  );
  return [asTyped(head, terminal), ...lines.map((line) => cutTo(terminal.columns ?? Infinity, line))];
}

/** Returns agents and surfaces that are known by name, without loading keys, files or the code that asks models. */
export async function knownEntrants(): Promise<{
  agents: { id: string; about: string }[];
  surfaces: readonly Surface[];
}> {
  const { agents, surfaces } = await Entrants.load();
  const models = MODELS.map((model) => ({ id: model.id, about: aboutModel(model) }));
  return { agents: [...agents.map(({ id, about }) => ({ id, about })), ...models], surfaces };
}
