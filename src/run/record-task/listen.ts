import type { BrowserContext, CDPSession, Frame, Page } from 'playwright-core';
import { BINDING, IN_PAGE } from './in-page.ts';
import { type UserEvent, userEventIn } from './user-actions.ts';

/** The name of the recorder's world in each frame. */
const WORLD = 'touchstone-recorder';

/** Receives everything that a user does in the tabs of a context. */
export interface UserListener {
  did(event: UserEvent, page: Page): void;
  answered(dialog: { accepted: boolean; text: string | null }, page: Page): void;
  /** The user went somewhere by the address bar, a bookmark or the history. */
  went(url: string, page: Page): void;
}

/** Kinds of steps in a history that come from the user and not from the page. */
const OWN_WAYS = new Set(['typed', 'auto_bookmark', 'generated', 'keyword']);

/** Listens to a tab and the frames in it, those in processes of their own too. Resolves when it does, before a page is opened there. */
export async function listenTo(page: Page, listener: UserListener): Promise<void> {
  const context = page.context();
  const session = await context.newCDPSession(page);
  const frames = new Set<string>();
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) ignoreEnd(listenToFrame(context, frame, frames, page, listener));
  });
  await listenThrough(session, page, listener);
  followDialogs(session, page, listener);
  await followHistory(session, page, listener);
  for (const frame of page.frames()) {
    if (frame !== page.mainFrame()) ignoreEnd(listenToFrame(context, frame, frames, page, listener));
  }
}

async function listenToFrame(
  context: BrowserContext,
  frame: Frame,
  known: Set<string>,
  page: Page,
  listener: UserListener,
): Promise<void> {
  // Refused of a frame in the process of the page, which is heard through the page's own session.
  const session = await context.newCDPSession(frame);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  if (known.has(targetInfo.targetId)) {
    await session.detach();
    return;
  }
  known.add(targetInfo.targetId);
  session.on('close', () => known.delete(targetInfo.targetId));
  await listenThrough(session, page, listener);
}

async function listenThrough(session: CDPSession, page: Page, listener: UserListener): Promise<void> {
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    const event = name === BINDING ? userEventIn(payload) : null;
    if (event !== null) listener.did(event, page);
  });
  await session.send('Page.enable');
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD });
  await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: IN_PAGE,
    worldName: WORLD,
    runImmediately: true,
  });
}

function followDialogs(session: CDPSession, page: Page, listener: UserListener): void {
  let isPrompt = false;
  session.on('Page.javascriptDialogOpening', ({ type }) => {
    isPrompt = type === 'prompt';
  });
  session.on('Page.javascriptDialogClosed', ({ result, userInput }) => {
    listener.answered({ accepted: result, text: isPrompt && result ? userInput : null }, page);
  });
}

async function followHistory(session: CDPSession, page: Page, listener: UserListener): Promise<void> {
  let place = (await session.send('Page.getNavigationHistory')).currentIndex;
  const look = async (): Promise<void> => {
    const { entries, currentIndex } = await session.send('Page.getNavigationHistory');
    const entry = entries[currentIndex];
    const before = place;
    place = currentIndex;
    if (entry === undefined || !/^https?:/.test(entry.url)) return;
    const isBack = currentIndex < before;
    const isOwn = currentIndex > before && OWN_WAYS.has(entry.transitionType);
    if (isBack || isOwn) listener.went(entry.url, page);
  };
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) ignoreEnd(look());
  });
}

/** A frame or tab that is gone has nothing more to tell. */
function ignoreEnd(work: Promise<void>): void {
  work.catch(() => {});
}
