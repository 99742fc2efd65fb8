import type { Agent } from '../../src/agent/agent.ts';
import { runEpisode } from '../../src/episode/run-episode.ts';
import { sitesFor, type SuiteWorld } from '../../src/run/suite-world.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import type { Task } from '../../src/task/schema.ts';
import { startLocalWorld } from '../../src/world/local.ts';
import type { World } from '../../src/world/way-in.ts';
import { heardSink } from '../episode/heard-sink.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';

/** Raises a world of sites in this thread. */
export async function worldHere(suiteWorld: SuiteWorld, { instance, startUrl }: Task): Promise<World> {
  if (suiteWorld.kind !== 'local') throw new Error('an archive needs a thread');
  const parameters = instance?.parameters ?? {};
  const sites = sitesFor(suiteWorld, startUrl);
  return await startLocalWorld({ sites, parameters, identity: await sharedIdentity(), live: false });
}

/** Runs an episode of a task through `aria`, in a world of its own. */
export async function performed(
  suiteWorld: SuiteWorld,
  task: Task,
  agent: Agent,
  more: Partial<Parameters<typeof runEpisode>[0]> = {},
) {
  const world = await worldHere(suiteWorld, task);
  const browser = await sharedBrowser();
  const result = await runEpisode({ task, agent, surface: aria, browser, world, sink: heardSink(), ...more });
  await world.close();
  return result;
}
