import { intentText, referenceAgent } from '../agent/kinds/reference.ts';
import { capturePages } from '../browser/capture.ts';
import type { JudgedBrowser } from '../browser/judged-browser.ts';
import type { Observer } from '../browser/observer.ts';
import { capturedFrames } from '../contract/dom/document.ts';
import { renderedText } from '../contract/dom/rendered-text.ts';
import { selectAll } from '../contract/dom/select.ts';
import { messageOf } from '../contract/message-of.ts';
import type { EpisodeEvent } from './events.ts';
import { normaliseText } from '../contract/strings.ts';
import { mainLine, shortened } from '../messages/printable.ts';
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
  /** Redacts text, before it is cut. */
  clean: (text: string) => string;
}

/** What a sign-in leaves behind. */
export interface Session {
  cookies: StoredState;
  /** The address of the page that shows the sign-in. */
  url: string;
}

export interface SignInFailure {
  /** Not yet redacted. */
  failure: string;
  /** The step that failed, counted from 0. */
  step?: number;
}

/** Signs a role in through `aria`, in its own place, which leaves no record. Never throws. */
export function signIn(setup: SignInSetup): Promise<(Session | SignInFailure) & { browserFit: boolean }> {
  return inOwnPlace(setup, setup.signIn.start_url, async (place, task) => {
    await place.start(task.startUrl);
    const failure = await failureOf(setup.signIn.steps, place, task, setup);
    if (failure !== null) return failure;
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
): Promise<(SignInFailure | { isAccepted: true }) & { browserFit: boolean }> {
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
  act: (place: Place, task: Task) => Promise<T | SignInFailure>,
): Promise<(T | SignInFailure) & { browserFit: boolean }> {
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

/** Carries out steps until one fails. Returns null if all succeeded. */
async function failureOf(
  steps: SignIn['steps'],
  place: Place,
  task: Task,
  { browser, world, clean }: SignInSetup,
): Promise<SignInFailure | null> {
  const agent = referenceAgent('sign-in', steps, 'breaks');
  const failed: { at: number; why: string }[] = [];
  let called = 0;
  const event = (recorded: EpisodeEvent): void => {
    if (recorded.type === 'call') called = (recorded.written_step ?? recorded.step) - 1;
    if (recorded.type !== 'result' || recorded.ok) return;
    failed.push({ at: called, why: mainLine(recorded.text) || recorded.kind });
  };
  const sink = { event, clean: <T>(value: T) => value, evidence: () => {} };
  const entrant = { task, agent, surface: aria, browser, world, sink };
  const { trajectory } = await runEntrant(entrant, place, () => {}, null);
  const [first] = failed;
  if (first === undefined && trajectory.stop === 'done') return null;
  const why = clean(first?.why ?? trajectory.detail ?? trajectory.stop);
  // The detail of a step that had no call names it in words.
  const step = first?.at ?? steps.findIndex((each, at) => at >= called && why.includes(clean(intentText(each))));
  const written = steps[step];
  const named = written === undefined ? 'a step' : `step ${step + 1} (${clean(intentText(written))})`;
  const failure = `${named} failed: ${shortened(why, MAX.why)}; ${await shownNow(browser, place, clean)}`;
  return written === undefined ? { failure } : { failure, step };
}

/** Most characters of the reason why a step failed, and of the text of the page. */
const MAX = { why: 300, shown: 200 };

/** The page and its text, read from the browser's snapshot: no script runs in a page. */
async function shownNow({ observer }: JudgedBrowser, { contextId }: Place, clean: (text: string) => string) {
  const page = observer.activePage(contextId);
  if (page === undefined) return 'no page was open';
  const at = `the page was ${clean(page.url)}`;
  const { pages } = await capturePages(observer, contextId);
  const dom = pages.find(({ id }) => id === page.id)?.dom;
  const [frame] = dom?.captured === true ? capturedFrames(dom.value).frames : [];
  const [body] = frame === undefined ? [] : selectAll(frame, 'body');
  if (body === undefined) return at;
  return `${at} and showed "${shortened(normaliseText(clean(renderedText(body))), MAX.shown)}"`;
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
