import type { EpisodeSetup } from '../../src/episode/episode-setup.ts';
import { signIn } from '../../src/episode/sign-in.ts';
import type { SuiteWorld } from '../../src/run/suite-world.ts';
import { signInWith } from '../../src/task/auth.ts';
import type { LoadedSuite } from '../../src/task/load-suite.ts';
import type { Task } from '../../src/task/schema.ts';
import { sharedBrowser } from '../shared-browser.ts';
import { worldHere } from './performed.ts';

export async function signedIn(
  { roles, credentials }: LoadedSuite,
  suiteWorld: SuiteWorld,
  task: Task,
): Promise<Pick<EpisodeSetup, 'storedState'>> {
  const role = task.auth?.by === 'stored_state' ? roles[task.auth.role] : undefined;
  if (role === undefined) return {};
  const world = await worldHere(suiteWorld, task);
  const made = await signIn({
    signIn: signInWith(role, credentials),
    task,
    browser: await sharedBrowser(),
    world,
    clean: (text) => text,
  });
  await world.close();
  if ('failure' in made) throw new Error(made.failure);
  return { storedState: made.cookies };
}
