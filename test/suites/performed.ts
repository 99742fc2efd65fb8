import type { Agent } from '../../src/agent/agent.ts';
import { runEpisode } from '../../src/episode/run-episode.ts';
import { raiseWorld } from '../../src/run/suite-world.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import type { Task } from '../../src/task/schema.ts';
import { heardSink } from '../episode/heard-sink.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';

/** Runs an episode of a task through `aria`, in a world of its own. */
export async function performed(
  suiteWorld: Parameters<typeof raiseWorld>[0],
  task: Task,
  agent: Agent,
  more: Partial<Parameters<typeof runEpisode>[0]> = {},
) {
  const world = await raiseWorld(suiteWorld, task, { identity: await sharedIdentity(), live: false });
  const browser = await sharedBrowser();
  const result = await runEpisode({ task, agent, surface: aria, browser, world, sink: heardSink(), ...more });
  await world.close();
  return result;
}
