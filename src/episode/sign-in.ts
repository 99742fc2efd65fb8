import { referenceAgent } from '../agent/kinds/reference.ts';
import type { JudgedBrowser } from '../browser/judged-browser.ts';
import type { Observer } from '../browser/observer.ts';
import { messageOf } from '../contract/message-of.ts';
import type { EpisodeEvent } from './events.ts';
import { aria } from '../surface/aria/aria.ts';
import type { SignIn } from '../task/auth.ts';
import type { Task } from '../task/schema.ts';
import type { World } from '../world/world-proxy.ts';
import { type Place, openPlace } from './place.ts';
import { runEntrant } from './run-entrant.ts';
import type { StoredState } from './episode-setup.ts';

interface SignInSetup {
  /** With its credentials filled in. */
  signIn: SignIn;
  task: Task;
  browser: JudgedBrowser;
  /** Freshly reset. The caller closes it. */
  world: World;
}

type SignInResult = ({ state: StoredState } | { failure: string }) & { browserFit: boolean };

/**
 * Signs a role in through `aria`, in its own place, which leaves no record. Never throws.
 * @returns the cookies, or why signing in failed, not yet redacted
 */
export async function signIn(setup: SignInSetup): Promise<SignInResult> {
  const { browser, world } = setup;
  const { start_url: startUrl } = setup.signIn;
  const task: Task = { ...setup.task, startUrl };
  let place: Place;
  try {
    place = await openPlace(aria, browser, world, task);
  } catch (error) {
    return { failure: messageOf(error), browserFit: false };
  }
  const made = await signInAt(place, task, setup).catch((error: unknown) => ({ failure: messageOf(error) }));
  const isClosed = await place.close();
  return { ...made, browserFit: isClosed && browser.isFit() };
}

async function signInAt(
  place: Place,
  task: Task,
  { browser, world, signIn: { steps } }: SignInSetup,
): Promise<{ state: StoredState } | { failure: string }> {
  await place.start(task.startUrl);
  const agent = referenceAgent('sign-in', steps);
  const failed: number[] = [];
  const event = (recorded: EpisodeEvent): void => {
    if (recorded.type === 'result' && !recorded.ok) failed.push(recorded.step);
  };
  const sink = { event, clean: <T>(value: T) => value, evidence: () => {} };
  const entrant = { task, agent, surface: aria, browser, world, sink };
  const { trajectory } = await runEntrant(entrant, place, { toolCallBegins: () => {} }, null);
  if (failed[0] !== undefined) return { failure: `call ${failed[0]} of signing in failed` };
  if (trajectory.stop !== 'done') return { failure: `signing in ended as ${trajectory.stop}` };
  const state = await cookiesOf(browser.observer, place.contextId);
  return state.length === 0 ? { failure: 'signing in left no cookie' } : { state };
}

/** Sets the cookies of {@link signIn} in a place, before its start page is opened. */
export async function restore(state: StoredState, { cdp }: Observer, contextId: string): Promise<void> {
  await cdp.send('Storage.setCookies', { cookies: [...state], browserContextId: contextId });
}

async function cookiesOf({ cdp }: Observer, contextId: string): Promise<StoredState> {
  const { cookies } = await cdp.send('Storage.getCookies', { browserContextId: contextId });
  return cookies.map(({ name, value, domain, path, secure, httpOnly, sameSite, session, expires }) => ({
    name,
    value,
    domain,
    path,
    secure,
    httpOnly,
    ...(sameSite === undefined ? {} : { sameSite }),
    ...(session ? {} : { expires }),
  }));
}
