import type { Protocol } from 'devtools-protocol';
import { type Captured, type Evidence, missing, type PageEvidence, present } from '../contract/evidence.ts';
import { withoutSecrets } from '../contract/dom/field-value.ts';
import { SNAPSHOT_STYLES, Snapshot } from '../contract/dom/snapshot.ts';
import { atMost } from './at-most.ts';
import type { ObservedPage, ObservedTarget, Observer } from './observer.ts';
import { messageOf } from '../contract/message-of.ts';

const CAPTURE_TIMEOUT_MS = 4_000;
/** A page that answers nothing for this long hangs. */
const HANG_MS = 8_000;
/** Time for a page that answers: whether it is judged must depend on its size, not on the load of the machine. */
const SNAPSHOT_TIMEOUT_MS = 30_000;
const DIALOG_OPEN = 'a dialog is open, and a page cannot be read behind it';
const CRASHED = 'the page has crashed';
const TOO_MUCH_TEXT = 'the open pages hold too much text to be kept';
const TOO_MANY_NODES = 'the open pages hold too many nodes to be kept';

/** Most tabs that are captured: a page can open them without end. */
const MAX_TABS = 100;
const AT_ONCE = 4;
/** Most characters and nodes, of all tabs together, that the snapshots of one capture may hold: other episodes wait while they are judged. */
const MAX = { text: 32 * 1024 * 1024, nodes: 250_000 };
const MAX_PICTURE = 48 * 1024 * 1024;

export type PagesEvidence = Pick<Evidence, 'pages' | 'pages_missing' | 'last_active'>;
type PageDom = PageEvidence['dom'];
type RemoteFrame = Extract<PageDom, { captured: true }>['value']['remote_frames'][number];

/** Reads all tabs of a browser context with the browser's own snapshot; no script runs in any page. */
export async function capturePages(observer: Observer, contextId: string, most = MAX): Promise<PagesEvidence> {
  const open = observer.pages(contextId);
  const lastActive = () => observer.activePage(contextId)?.id ?? null;
  if (open.length > MAX_TABS) {
    return { pages: [], pages_missing: `more than ${MAX_TABS} tabs are open`, last_active: lastActive() };
  }
  const reading = { observer, room: { ...most } };
  const inTurn = atMost(AT_ONCE);
  const pages = await Promise.all(open.map((page) => inTurn(() => capturePage(reading, page))));
  return { pages, last_active: lastActive() };
}

/** A PNG of the viewport of the page that was active last. */
export async function captureScreenshot(observer: Observer, contextId: string): Promise<Evidence['screenshot']> {
  const page = observer.activePage(contextId);
  if (page === undefined) return missing('no page is open');
  const obstacle = obstacleTo(page);
  if (obstacle !== null) return missing(obstacle);
  const { sessionId } = page;
  return await attempt(async () => {
    const options = { format: 'png', optimizeForSpeed: true } as const;
    const { data } = await observer.cdp.send('Page.captureScreenshot', options, {
      sessionId,
      timeoutMs: CAPTURE_TIMEOUT_MS,
    });
    if (data.length > MAX_PICTURE) throw new Error('the picture is too large to be kept');
    return { media_type: 'image/png', base64: data };
  });
}

/** Time that a picture for the film may take, in ms: a tab behind another takes seconds, and is left out. */
const STILL_TIMEOUT_MS = 1_000;

/** A small JPEG of the viewport of the page that was active last, for people; null if none can be taken. */
export async function captureStill(observer: Observer, contextId: string): Promise<Buffer | null> {
  const page = observer.activePage(contextId);
  if (page === undefined || obstacleTo(page) !== null) return null;
  const { sessionId } = page;
  const options = { format: 'jpeg', quality: 50, optimizeForSpeed: true } as const;
  const taken = await attempt(() =>
    observer.cdp.send('Page.captureScreenshot', options, { sessionId, timeoutMs: STILL_TIMEOUT_MS }),
  );
  return taken.captured && taken.value.data.length <= MAX_PICTURE ? Buffer.from(taken.value.data, 'base64') : null;
}

interface Reading {
  observer: Observer;
  /** Room left for its snapshots. */
  room: typeof MAX;
}

async function capturePage(reading: Reading, page: ObservedPage): Promise<PageEvidence> {
  const { observer } = reading;
  const { id, sessionId, dialog } = page;
  const [history, dom] = await Promise.all([
    attempt(() =>
      observer.cdp.send('Page.getNavigationHistory', undefined, { sessionId, timeoutMs: CAPTURE_TIMEOUT_MS }),
    ),
    captureDom(reading, page),
  ]);
  return {
    id,
    dialog: dialog === null ? null : { ...dialog },
    url: history.captured ? await shownUrl(observer, history.value, page) : history,
    history: history.captured ? present(history.value.entries.map(({ url }) => url)) : history,
    // A page without a history is on its way out: its document is not what a user sees any more.
    dom: history.captured ? dom : history,
  };
}

/**
 * The same, read from the page itself if the two differ: the event of a finished navigation may be late, or lost with the
 * process that had the page before.
 */
async function shownUrl(
  observer: Observer,
  history: Protocol.Page.GetNavigationHistoryResponse,
  page: ObservedPage,
): Promise<Captured<string>> {
  const reported = currentUrl(history, page);
  if (reported.captured) return reported;
  const tree = await attempt(() =>
    observer.cdp.send('Page.getFrameTree', undefined, { sessionId: page.sessionId, timeoutMs: CAPTURE_TIMEOUT_MS }),
  );
  if (!tree.captured) return reported;
  const { url, urlFragment = '', unreachableUrl } = tree.value.frameTree.frame;
  return currentUrl(history, { url: unreachableUrl ?? url + urlFragment });
}

/** The address of the page shown. The browser's history already names the address of a navigation under way. */
export function currentUrl(
  { entries, currentIndex }: Protocol.Page.GetNavigationHistoryResponse,
  page: Pick<ObservedPage, 'url'>,
): Captured<string> {
  const url = entries[currentIndex]?.url;
  if (url === undefined) return missing('the page has no document yet');
  return url === page.url ? present(url) : missing('the page is on its way to another address');
}

/** Returns why a page cannot be read, which saves waiting for it; null if it can. */
function obstacleTo({ dialog, crashed }: ObservedPage): string | null {
  if (dialog !== null) return DIALOG_OPEN;
  return crashed ? CRASHED : null;
}

async function captureDom(reading: Reading, page: ObservedPage): Promise<PageDom> {
  const obstacle = obstacleTo(page);
  if (obstacle !== null) return missing(obstacle);
  const { observer } = reading;
  const frames = observer.remoteFrames(page);
  const [main, remoteFrames] = await Promise.all([
    captureSnapshot(reading, page.sessionId),
    Promise.all(
      frames.map(async (frame) => {
        const parent = frames.find(({ sessionId }) => sessionId === frame.parentSessionId);
        return { ...(await captureRemoteFrame(reading, frame)), parent_frame_id: parent?.targetId ?? null };
      }),
    ),
  ]);
  return main.captured ? present({ main: main.value, remote_frames: remoteFrames, loading: page.isLoading }) : main;
}

async function captureRemoteFrame(
  reading: Reading,
  frame: ObservedTarget,
): Promise<Omit<RemoteFrame, 'parent_frame_id'>> {
  const [snapshot, owner] = await Promise.all([
    captureSnapshot(reading, frame.sessionId),
    attempt(() =>
      reading.observer.cdp.send(
        'DOM.getFrameOwner',
        { frameId: frame.targetId },
        { sessionId: frame.parentSessionId ?? undefined, timeoutMs: CAPTURE_TIMEOUT_MS },
      ),
    ),
  ]);
  return {
    frame_id: frame.targetId,
    owner_backend_node_id: owner.captured ? owner.value.backendNodeId : null,
    snapshot,
  };
}

function captureSnapshot({ observer, room }: Reading, sessionId: string): Promise<Captured<Snapshot>> {
  return attempt(async () => {
    refuseTooMuch(room);
    const [, raw] = await Promise.all([
      observer.cdp.send('Page.getFrameTree', undefined, { sessionId, timeoutMs: HANG_MS }),
      observer.cdp.send(
        'DOMSnapshot.captureSnapshot',
        { computedStyles: [...SNAPSHOT_STYLES] },
        { sessionId, timeoutMs: SNAPSHOT_TIMEOUT_MS },
      ),
    ]);
    room.text -= charactersIn(raw);
    for (const { nodes } of raw.documents) room.nodes -= nodes.nodeName?.length ?? 0;
    refuseTooMuch(room);
    // Leaves out what no judgement reads; throws if the browser's format has changed.
    return withoutSecrets(Snapshot.parse(raw));
  });
}

/** Counts a text each time that it occurs: the browser sends equal texts once, but each is read. */
function charactersIn({ documents, strings }: Protocol.DOMSnapshot.CaptureSnapshotResponse): number {
  let total = 0;
  const add = (indices: readonly number[] = []): void => {
    for (const at of indices) total += strings[at]?.length ?? 0;
  };
  for (const { nodes, layout } of documents) {
    add(nodes.nodeValue);
    add(layout.text);
    add(nodes.inputValue?.value);
    add(nodes.textValue?.value);
    for (const each of nodes.attributes ?? []) add(each);
  }
  return total;
}

function refuseTooMuch({ text, nodes }: Reading['room']): void {
  if (text < 0) throw new Error(TOO_MUCH_TEXT);
  if (nodes < 0) throw new Error(TOO_MANY_NODES);
}

async function attempt<T>(read: () => Promise<T>): Promise<Captured<T>> {
  try {
    return present(await read());
  } catch (error) {
    return missing(messageOf(error));
  }
}
