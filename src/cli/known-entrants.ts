import { aboutModel, MODELS } from '../model/models.ts';
import { Entrants } from '../plan/entrants.ts';
import type { Surface } from '../surface/surface.ts';

/** The agents and surfaces that are known by name, without keys or files of the user's, and without the code that asks models. */
export async function knownEntrants(): Promise<{
  agents: { id: string; about: string }[];
  surfaces: readonly Surface[];
}> {
  const { agents, surfaces } = await Entrants.load();
  const models = MODELS.map((model) => ({ id: model.id, about: aboutModel(model) }));
  return { agents: [...agents.map(({ id, about }) => ({ id, about })), ...models], surfaces };
}
