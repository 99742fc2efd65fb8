import { hashJson } from '../contract/canonical.ts';
import { messageOf } from '../contract/message-of.ts';
import { fact } from '../messages/messages.ts';
import type { PlannedTask } from '../plan/plan.ts';
import { WorldError } from '../world/error.ts';
import type { World } from '../world/way-in.ts';
import { placeInSuite, raiseWorld, type Setting, sitesFor, type SuiteWorld, type ToldAt } from './suite-world.ts';

/**
 * Makes the apps once for each set of parameters that a plan has, asks programs for their state, and closes them again: what
 * cannot be made or judged is known before there is a bundle.
 * @throws WorldError naming the app.
 */
export async function tryWorlds(
  tasks: readonly PlannedTask[],
  worlds: ReadonlyMap<string, SuiteWorld>,
  setting: Setting,
  phase?: (what: string) => void,
): Promise<void> {
  const tried = new Set<string>();
  for (const { suite, task } of tasks) {
    const suiteWorld = worlds.get(suite);
    if (suiteWorld?.kind !== 'local') continue;
    const parameters = task.instance?.parameters ?? {};
    const sites = sitesFor(suiteWorld, task.startUrl);
    const key = hashJson({ suite, parameters, origins: sites.map(({ origin }) => origin) });
    if (tried.has(key)) continue;
    tried.add(key);
    phase?.(waitingText(sites.map(({ origin }) => origin)));
    const toldAt = sites.flatMap(({ origin }) => suiteWorld.toldAt.get(origin) ?? []);
    const world = await raiseWorld(suiteWorld, task, setting);
    try {
      if (toldAt.length > 0) await tryState(world, suite, toldAt);
    } finally {
      await world.close();
    }
  }
}

/** Names one app and counts the others: all of them are more than a line of a terminal holds. */
function waitingText([first, ...others]: readonly string[]): string {
  const rest = others.length === 0 ? '' : ` and ${others.length} more`;
  return `waiting for the app${others.length === 0 ? '' : 's'} of ${first ?? 'the suite'}${rest}`;
}

/** A state that is not told, as at a path that is none, would leave nothing but invalid or inconclusive episodes. */
async function tryState(world: World, suite: string, toldAt: readonly ToldAt[]): Promise<void> {
  try {
    await world.state();
  } catch (error) {
    const places = toldAt.map(
      async ({ state, file, at }) =>
        `${state}, ${await placeInSuite(file, ['world', 'sites', at, 'program', 'state'])}`,
    );
    const fields = { suite, why: messageOf(error), places: (await Promise.all(places)).join('; ') };
    throw new WorldError(fact('app_state_not_returned', fields), error);
  }
}
