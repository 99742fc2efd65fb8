import { taskName } from '../../task/instance.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { builtInSuites, outlineSuites } from '../suites.ts';
import { tableOf } from '../terminal-sections.ts';
import type { Terminal } from '../terminal.ts';
import type { Request } from '../command.ts';
import type { ListOptions } from '../commands/run.ts';
import { aboutModel, MODELS } from '../../model/models.ts';
import { Entrants } from '../../plan/entrants.ts';
import type { Surface } from '../../surface/surface.ts';

export async function list({ args, options: { json } }: Request<ListOptions>, terminal: Terminal): Promise<ExitCode> {
  const suites = await outlineSuites(args.length > 0 ? args : builtInSuites(), terminal);
  const entrants = await knownEntrants();
  const { agents } = entrants;
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
    terminal.out(JSON.stringify({ suites: shown, agents, surfaces }));
    return EXIT.done;
  }
  const ofSuites = tableOf(
    [
      { head: 'suite', words: true, text: ({ suite }) => suite },
      { head: 'task', words: true, text: ({ id }) => id },
      { head: 'title', words: true, text: ({ title }) => title },
    ],
    shown.flatMap(({ id: suite, tasks }) => tasks.map((task) => ({ suite, ...task }))),
  );
  const ofAgents = tableOf(
    [
      { head: 'agent', words: true, text: ({ id }) => id },
      { head: 'what it does', words: true, text: ({ about }) => about },
    ],
    agents,
  );
  const ofSurfaces = tableOf(
    [
      { head: 'surface', words: true, text: ({ id }) => id },
      { head: 'version', words: true, text: ({ version }) => version },
      { head: 'interaction', words: true, text: ({ interaction }) => interaction },
    ],
    surfaces,
  );
  for (const line of [...ofSuites, '', ...ofAgents, '', ...ofSurfaces]) terminal.out(line);
  return EXIT.done;
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
