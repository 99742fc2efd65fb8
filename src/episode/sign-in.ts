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

/** What a sign-in leaves behind. */
export interface Session {
  cookies: StoredState;
  /** The address of the page that shows the sign-in. */
  url: string;
}

interface Failure {
  /** Not yet redacted. */
  failure: string;
}

/** Signs a role in through `aria`, in its own place, which leaves no record. Never throws. */
export function signIn(setup: SignInSetup): Promise<(Session | Failure) & { browserFit: boolean }> {
  return inOwnPlace(setup, setup.signIn.start_url, async (place, task) => {
    await place.start(task.startUrl);
    const failure = await failureOf(setup.signIn.steps, place, task, setup);
    if (failure !== null) return { failure };
    const { observer } = setup.browser;
    const cookies = await cookiesOf(observer, place.contextId);
    if (cookies.length === 0) return { failure: 'signing in left no cookie' };
    return { cookies, url: observer.activePage(place.contextId)?.url ?? task.startUrl };
  });
}

/** Finds out whether the app of an episode accepts a session: its page must show what the last step of the sign-in waited for. */
export function checkSession(
  setup: SignInSetup,
  { cookies, url }: Session,
): Promise<(Failure | { isAccepted: true }) & { browserFit: boolean }> {
  return inOwnPlace(setup, url, async (place, task) => {
    await restore(cookies, setup.browser.observer, place.contextId);
    await place.start(url);
    const shown = setup.signIn.steps.slice(-1).filter((step) => step.do === 'wait_for');
    if (shown.length === 0 || (await failureOf(shown, place, task, setup)) === null) return { isAccepted: true };
    return { failure: 'the app of this episode does not accept its cookies; set per_episode: true' };
  });
}

async function inOwnPlace<T extends object>(
  setup: SignInSetup,
  startUrl: string,
  act: (place: Place, task: Task) => Promise<T | Failure>,
): Promise<(T | Failure) & { browserFit: boolean }> {
  const { browser, world } = setup;
  const task: Task = { ...setup.task, startUrl };
  let place: Place;
  try {
    place = await openPlace(aria, browser, world, task);
  } catch (error) {
    return { failure: messageOf(error), browserFit: false };
  }
  const made = await act(place, task).catch((error: unknown) => ({ failure: messageOf(error) }));
  const isClosed = await place.close();
  return { ...made, browserFit: isClosed && browser.isFit() };
}

/** Carries out steps. Returns null if all succeeded. */
async function failureOf(
  steps: SignIn['steps'],
  place: Place,
  task: Task,
  { browser, world }: SignInSetup,
): Promise<string | null> {
  const agent = referenceAgent('sign-in', steps);
  const failed: number[] = [];
  const event = (recorded: EpisodeEvent): void => {
    if (recorded.type === 'result' && !recorded.ok) failed.push(recorded.step);
  };
  const sink = { event, clean: <T>(value: T) => value, evidence: () => {} };
  const entrant = { task, agent, surface: aria, browser, world, sink };
  const { trajectory } = await runEntrant(entrant, place, () => {}, null);
  if (failed[0] !== undefined) return `call ${failed[0]} of signing in failed`;
  return trajectory.stop === 'done' ? null : `signing in ended as ${trajectory.stop}`;
}

/** Sets the cookies of a {@link Session} in a place, before its start page is opened. */
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
