import type { Agent } from '../../src/agent/agent.ts';
import { runEpisode } from '../../src/episode/run-episode.ts';
import { raiseWorld, sitesFor, type SuiteWorld } from '../../src/run/suite-world.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import type { Task } from '../../src/task/schema.ts';
import { startLocalWorld } from '../../src/world/local.ts';
import { WorldThread } from '../../src/world/thread/world-thread.ts';
import type { World } from '../../src/world/world-proxy.ts';
import { heardSink } from '../episode/heard-sink.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';

/** Raises a world of sites in this thread, which is all that an episode of them needs. */
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
  const thread = new WorldThread();
  const setting = { identity: await sharedIdentity(), live: false, thread };
  const world =
    suiteWorld.kind === 'local' ? await worldHere(suiteWorld, task) : await raiseWorld(suiteWorld, task, setting);
  const browser = await sharedBrowser();
  const result = await runEpisode({ task, agent, surface: aria, browser, world, sink: heardSink(), ...more });
  await world.close();
  await thread.close();
  return result;
}
