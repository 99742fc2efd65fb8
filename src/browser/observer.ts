import type { Protocol } from 'devtools-protocol';
import type { CdpConnection } from './cdp.ts';
import { wellFormed } from '../contract/strings.ts';
import { fact } from '../messages/messages.ts';
import { BrowserError } from './error.ts';
import { Downloads } from './downloads.ts';
import { OutsideTargets } from './outside-targets.ts';
import { clockScript } from './page-clock.ts';

/** A page or cross-process frame that the judge is attached to. */
export interface ObservedTarget {
  targetId: string;
  sessionId: string;
  /** Session of the page or frame that it belongs to; null for a page. */
  parentSessionId: string | null;
  contextId: string;
  type: 'page' | 'iframe';
}

export interface ObservedPage extends ObservedTarget {
  /** `page-1`, `page-2`, … in the order in which the context opened them. */
  id: string;
  dialog: { type: Protocol.Page.DialogType; message: string } | null;
  /** The last that has opened, whether or not it is open still. */
  lastDialog: { type: Protocol.Page.DialogType; message: string } | null;
  /** Rises each time that something happened to the page; the page with the highest was active last. */
  activity: number;
  crashed: boolean;
  /** URL of the main frame, as of the last navigation that the browser reported. */
  url: string;
  /** Number of documents that the main frame has loaded to the end, and of times that it has settled. */
  loads: number;
  rests: number;
  /** Whether its document has been read to the end since it was opened. */
  isParsed: boolean;
  /** True from the moment that the main frame begins to load something until it rests. */
  isLoading: boolean;
}

interface Ownership {
  /** False for a browser that we did not start, which does not trust the key of our worlds. */
  isOurs: boolean;
  /** Whether a user works in it, who may open windows of the browser itself. */
  hasUser: boolean;
  /** A folder of ours to which the browser can write. */
  folder?: string;
}

interface Viewport {
  width: number;
  height: number;
}

/** Time, in ms, that the judge may take to hear of a page that is there already or is being opened. */
const SEEN_TIMEOUT_MS = 10_000;
/** Time, in ms, that an event is waited for that may have been missed. */
const PATIENCE_MS = 2_000;
/** Limit, in ms, on loading the rest of a page after DOMContentLoaded: a feed or a frame may never end. */
export const LOAD_PATIENCE_MS = 8_000;
/** Most characters of a dialog's message that are kept. */
const MAX_DIALOG_LENGTH = 10_000;

// Pages, frames and workers; neither the browser itself, nor its tab wrappers, nor its own windows.
const FILTER: Protocol.Target.TargetFilter = [
  { type: 'browser', exclude: true },
  { type: 'tab', exclude: true },
  { type: 'browser_ui', exclude: true },
  {},
];

/**
 * The judge's passive view of a browser: attached to every target before it runs anything, and never detached while
 * an episode lasts (detaching would dismiss an open dialog in the headless shell). It runs no script, enables only the
 * `Page` domain, and resumes at once what it is attached to, so nothing that a page can see changes, except the time if a task sets it.
 */
export class Observer {
  readonly cdp: CdpConnection;
  readonly outside: OutsideTargets;
  readonly downloads: Downloads;
  readonly #targets = new Map<string, ObservedTarget>();
  readonly #pages = new Map<string, ObservedPage>();
  readonly #pagesOpened = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  /** The scripts that move time, by context. */
  readonly #clocks = new Map<string, string>();
  readonly #isOurs: boolean;
  #clock = 0;

  private constructor(cdp: CdpConnection, outside: OutsideTargets, { isOurs, folder }: Ownership) {
    this.cdp = cdp;
    this.outside = outside;
    this.downloads = new Downloads(cdp, folder ?? null);
    this.#isOurs = isOurs;
  }

  static async attach(cdp: CdpConnection, ownership: Ownership = { isOurs: true, hasUser: false }): Promise<Observer> {
    const { isOurs, hasUser } = ownership;
    const observer = new Observer(cdp, await OutsideTargets.watch(isOurs && !hasUser ? cdp : null), ownership);
    cdp.on('Target.attachedToTarget', (event, parent) => {
      observer.#attached(event, parent ?? null);
    });
    cdp.on('Target.detachedFromTarget', ({ sessionId }) => {
      observer.#targets.delete(sessionId);
      observer.#pages.delete(sessionId);
      observer.#lookAgain();
    });
    cdp.on('Page.frameAttached', ({ frameId }, sessionId) => {
      const page = observer.#pageOf(sessionId);
      if (page !== undefined) observer.downloads.frameSeen(frameId, page.contextId);
    });
    cdp.on('Page.frameNavigated', ({ frame }, sessionId) => {
      // If nothing answers, the browser shows its own page under the requested address.
      const url = frame.unreachableUrl ?? frame.url + (frame.urlFragment ?? '');
      if (frame.parentId === undefined) observer.#navigated(sessionId, url);
    });
    cdp.on('Page.navigatedWithinDocument', ({ frameId, url }, sessionId) => {
      const page = observer.#pages.get(sessionId ?? '');
      if (page?.targetId === frameId) observer.#navigated(sessionId, url);
    });
    cdp.on('Page.loadEventFired', (_event, sessionId) => {
      observer.#loaded(sessionId);
    });
    cdp.on('Page.domContentEventFired', (_event, sessionId) => {
      observer.#parsed(sessionId);
    });
    cdp.on('Page.frameStartedLoading', ({ frameId }, sessionId) => {
      const page = observer.#pages.get(sessionId ?? '');
      if (page?.targetId === frameId) page.isLoading = true;
    });
    cdp.on('Page.frameStoppedLoading', ({ frameId }, sessionId) => {
      const page = observer.#pages.get(sessionId ?? '');
      if (page?.targetId !== frameId) return;
      page.rests += 1;
      page.isLoading = false;
      observer.#lookAgain();
    });
    cdp.on('Page.javascriptDialogOpening', ({ type, message }, sessionId) => {
      const page = observer.#pageOf(sessionId);
      if (page === undefined) return;
      page.dialog = { type, message: wellFormed(message.slice(0, MAX_DIALOG_LENGTH)) };
      page.lastDialog = page.dialog;
      observer.#touchSession(page.sessionId);
      observer.#lookAgain();
    });
    cdp.on('Page.javascriptDialogClosed', (_event, sessionId) => {
      const page = observer.#pageOf(sessionId);
      if (page !== undefined) page.dialog = null;
    });
    cdp.on('Inspector.targetCrashed', (_event, sessionId) => {
      const page = observer.#pages.get(sessionId ?? '');
      if (page !== undefined) page.crashed = true;
    });
    await observer.#autoAttach(undefined);
    return observer;
  }

  /** Open tabs of a browser context, in the order in which they were opened. */
  pages(contextId: string): ObservedPage[] {
    return [...this.#pages.values()].filter((page) => page.contextId === contextId);
  }

  contextEnded(contextId: string): void {
    this.#pagesOpened.delete(contextId);
    this.#clocks.delete(contextId);
    this.downloads.forget(contextId);
  }

  /** Moves the time of all pages, frames and workers of a context, before any script of theirs runs. To be called before it shows a page of a world. */
  async moveTime(contextId: string, offsetMs: number): Promise<void> {
    this.#clocks.set(contextId, clockScript(offsetMs));
    await Promise.all(this.pages(contextId).map((page) => this.#moveTimeOf(page)));
  }

  async #moveTimeOf({
    type,
    sessionId,
    contextId,
  }: Pick<ObservedTarget, 'sessionId' | 'contextId'> & { type: string }): Promise<void> {
    const source = this.#clocks.get(contextId);
    if (source === undefined) return;
    if (type !== 'page' && type !== 'iframe')
      await this.cdp.send('Runtime.evaluate', { expression: source }, { sessionId });
    else await this.cdp.send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true }, { sessionId });
  }

  hasPage(targetId: unknown): boolean {
    return typeof targetId === 'string' && this.#pageWith(targetId) !== undefined;
  }

  /** The page of a context that was active last; undefined when none is open. */
  activePage(contextId: string): ObservedPage | undefined {
    return this.pages(contextId).toSorted((a, b) => b.activity - a.activity)[0];
  }

  /** @throws BrowserError `page_late` if the judge never hears of it */
  async seen(targetId: string): Promise<ObservedPage> {
    return await this.#until(() => this.#pageWith(targetId), SEEN_TIMEOUT_MS, 'the judge was not attached to a page');
  }

  /**
   * Opens an empty page in a browser context (the default one, if none is named). It is at rest: what a page that is still
   * being opened starts to load is cut off by its own first document.
   */
  async newPage(contextId?: string): Promise<ObservedPage> {
    const where = contextId === undefined ? {} : { browserContextId: contextId };
    const { targetId } = await this.cdp.send('Target.createTarget', { url: 'about:blank', ...where });
    const page = await this.seen(targetId);
    // It may have settled before the judge could notice, so this is only a hint.
    await this.#until(() => page.rests > 0 || undefined, PATIENCE_MS, 'a new page did not settle').catch(() => {});
    if (!this.#isOurs) {
      const { sessionId } = page;
      await this.cdp.send('Security.setIgnoreCertificateErrors', { ignore: true }, { sessionId });
    }
    return page;
  }

  /**
   * Opens an empty page in the browser's default context and closes those that were there: the page that a browser opens
   * at its start may have settled before the judge could notice.
   */
  async freshPage(): Promise<ObservedPage> {
    const before = [...this.#pages.values()];
    const page = await this.newPage();
    const own = before.filter(({ contextId }) => contextId === page.contextId);
    await Promise.all(own.map((each) => this.cdp.send('Target.closeTarget', { targetId: each.targetId })));
    const isAlone = (): true | undefined => this.pages(page.contextId).length === 1 || undefined;
    await this.#until(isAlone, SEEN_TIMEOUT_MS, 'a page did not close');
    return page;
  }

  /**
   * Gives a page and the other tabs of its window a viewport, in CSS pixels. The window itself is sized, so that neither page nor
   * client finds anything emulated; only in a browser that is not ours, whose window may be on a screen, is the size emulated.
   */
  async size({ targetId, sessionId }: ObservedPage, viewport: Viewport): Promise<void> {
    if (!this.#isOurs) {
      const metrics = { ...viewport, deviceScaleFactor: 0, mobile: false };
      await this.cdp.send('Emulation.setDeviceMetricsOverride', metrics, { sessionId });
      return;
    }
    const { windowId } = await this.cdp.send('Browser.getWindowForTarget', { targetId });
    await this.cdp.send('Browser.setContentsSize', { windowId, ...viewport });
  }

  /**
   * Opens an address in a page and resolves when it has loaded, when a dialog holds that up, or when the document is read and a
   * part of it does not end.
   * @throws BrowserError `page_not_opened` when there is nothing at the address, `page_late` when it does not load.
   */
  async open(page: ObservedPage, url: string, timeoutMs: number): Promise<void> {
    const giveUpAt = performance.now() + timeoutMs;
    const before = page.loads;
    page.isParsed = false;
    const come = (): true | undefined => page.loads > before || page.dialog !== null || undefined;
    for (;;) {
      const left = Math.max(1, giveUpAt - performance.now());
      const { errorText } = await this.cdp.send(
        'Page.navigate',
        { url },
        { sessionId: page.sessionId, timeoutMs: left },
      );
      if (errorText !== undefined) throw new BrowserError(fact('page_not_opened', { url, why: errorText }));
      const isDone = (): true | undefined => come() ?? (page.isLoading ? undefined : true);
      // A request may have been cut off by a document that the page was opened with: then it is made again.
      const wait = Math.min(PATIENCE_MS, left);
      const isThere = await this.#until(come, wait, `${url} did not load`).catch(() => undefined);
      if (isThere === true) return;
      const isRead = (): true | undefined => isDone() ?? (page.isParsed || undefined);
      await this.#until(isRead, Math.max(1, giveUpAt - performance.now()), `${url} did not load`);
      await this.#until(isDone, LOAD_PATIENCE_MS, `${url} did not load whole`).catch(() => {});
      if (come() === true || (page.isParsed && page.isLoading)) return;
    }
  }

  remoteFrames(page: ObservedPage): ObservedTarget[] {
    const frames: ObservedTarget[] = [];
    const sessions = new Set([page.sessionId]);
    for (const target of this.#targets.values()) {
      if (target.parentSessionId === null || !sessions.has(target.parentSessionId)) continue;
      sessions.add(target.sessionId);
      frames.push(target);
    }
    return frames;
  }

  touch(targetId: string): void {
    this.#touchSession(this.#pageWith(targetId)?.sessionId);
  }

  #attached({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent, parentSessionId: string | null): void {
    if (this.outside.close(targetInfo)) return;
    const { targetId, type, browserContextId: contextId = '' } = targetInfo;
    this.downloads.frameSeen(targetId, contextId);
    if (type === 'page') {
      const number = (this.#pagesOpened.get(contextId) ?? 0) + 1;
      this.#pagesOpened.set(contextId, number);
      const page: ObservedPage = {
        targetId,
        sessionId,
        parentSessionId: null,
        contextId,
        type,
        id: `page-${number}`,
        dialog: null,
        lastDialog: null,
        activity: ++this.#clock,
        crashed: false,
        url: 'about:blank',
        loads: 0,
        isParsed: false,
        rests: 0,
        isLoading: false,
      };
      this.#pages.set(sessionId, page);
      this.#lookAgain();
    } else if (type === 'iframe') {
      this.#targets.set(sessionId, { targetId, sessionId, parentSessionId, contextId, type });
    }
    // Sent without waiting, in this order: nothing that the target does is missed, and it is held up by one message only.
    if (type === 'page' || type === 'iframe') this.cdp.send('Page.enable', undefined, { sessionId }).catch(ignoreEnded);
    this.#autoAttach(sessionId).catch(ignoreEnded);
    this.#moveTimeOf({ type, sessionId, contextId }).catch(ignoreEnded);
    this.cdp.send('Runtime.runIfWaitingForDebugger', undefined, { sessionId }).catch(ignoreEnded);
  }

  async #autoAttach(sessionId: string | undefined): Promise<void> {
    await this.cdp.send(
      'Target.setAutoAttach',
      { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: FILTER },
      { sessionId },
    );
  }

  /** Resolves with what `find` finds, looking again whenever something has happened. */
  async #until<T>(find: () => T | undefined, timeoutMs: number, complaint: string): Promise<T> {
    const found = find();
    if (found !== undefined) return found;
    return await new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new BrowserError(fact('page_late', { what: complaint, ms: timeoutMs })));
      }, timeoutMs);
      const look = (): void => {
        const come = find();
        if (come === undefined) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(come);
      };
      this.#waiting.add(look);
    });
  }

  #parsed(sessionId: string | undefined): void {
    const page = this.#pages.get(sessionId ?? '');
    if (page === undefined) return;
    page.isParsed = page.url !== 'about:blank';
    this.#lookAgain();
  }

  #loaded(sessionId: string | undefined): void {
    const page = this.#pages.get(sessionId ?? '');
    if (page === undefined) return;
    page.loads += 1;
    this.#lookAgain();
  }

  #lookAgain(): void {
    for (const look of this.#waiting) look();
  }

  #touchSession(sessionId: string | undefined): void {
    const page = this.#pages.get(sessionId ?? '');
    if (page !== undefined) page.activity = ++this.#clock;
  }

  #navigated(sessionId: string | undefined, url: string): void {
    this.#touchSession(sessionId);
    const page = this.#pages.get(sessionId ?? '');
    if (page === undefined) return;
    page.url = url;
    page.crashed = false;
  }

  #pageWith(targetId: string): ObservedPage | undefined {
    return [...this.#pages.values()].find((page) => page.targetId === targetId);
  }

  /** The page of a session, be it the page's own or that of a frame in it. */
  #pageOf(sessionId: string | undefined): ObservedPage | undefined {
    let current = sessionId ?? '';
    for (let target = this.#targets.get(current); target !== undefined; target = this.#targets.get(current)) {
      current = target.parentSessionId ?? '';
    }
    return this.#pages.get(current);
  }
}

/** A target may end while it is being attached to; its end is an event of its own. */
function ignoreEnded(): void {}
