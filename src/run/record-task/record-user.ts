import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { capturePages } from '../../browser/capture.ts';
import type { JudgedBrowser } from '../../browser/judged-browser.ts';
import { type Evidence, missing, present } from '../../contract/evidence.ts';
import { START_TIMEOUT_MS } from '../../episode/place.ts';
import { Judge } from '../../episode/judge.ts';
import { SETTLE_MS } from '../../episode/settle.ts';
import { elementFor } from '../../surface/aria/elements.ts';
import { elementsOf, type SnapshotElement } from '../../task/snapshot-text.ts';
import type { Viewport } from '../../task/schema.ts';
import type { World } from '../../world/world-proxy.ts';
import { type UserAction, UserActions, type Secrets, type UserEvent } from './user-actions.ts';
import { listenTo } from './listen.ts';
import { type ElementStep, nameOf } from '../../task/intent.ts';

export interface UserRecordingOptions {
  browser: JudgedBrowser;
  /** Freshly reset. The caller closes it. */
  world: World;
  startUrl: string;
  viewport: Viewport;
  secrets: Secrets;
  /** Fires when the user ends the recording. */
  done: AbortSignal;
  listener: {
    /** The window is open and recorded. */
    ready(): void;
    step(action: UserAction, position: number): void;
    /** The user did something that has no step. */
    note(what: string): void;
  };
}

export interface Recording {
  actions: readonly UserAction[];
  notes: readonly string[];
  /** Typed passwords that the suite does not know. */
  typedSecrets: ReadonlySet<string>;
  start: Evidence;
  end: Evidence;
}

/** Time between two looks at the window, in ms: once the user has closed it, the last look is the end. */
const LOOK_MS = 300;
const SNAPSHOT_MS = 2_000;

/**
 * Opens a window in a world and records the user until all tabs are closed or `done` fires. Playwright's own recorder has a private
 * interface, and selectors instead of the role, name, visible texts and alternatives that steps and near-misses need.
 */
export async function recordUser(options: UserRecordingOptions): Promise<Recording> {
  const { browser, world, viewport } = options;
  const playwright = await browser.playwright();
  const before = playwright.contexts().flatMap((each) => each.pages());
  const context = await playwright.newContext({
    proxy: world.proxy,
    viewport: browser.identity.ours ? null : viewport,
    ignoreHTTPSErrors: !browser.identity.ours,
  });
  // Playwright dismisses dialogs that have no listener; the user answers them.
  context.on('dialog', () => {});
  try {
    const window = new RecordingWindow(context, options);
    await window.open();
    // Closes the browser's own empty window.
    if (browser.identity.ours) await Promise.all(before.map((page) => page.close()));
    return await window.record();
  } finally {
    await context.close().catch(() => {});
  }
}

class RecordingWindow {
  readonly #context: BrowserContext;
  readonly #options: UserRecordingOptions;
  readonly #tabs: Page[] = [];
  readonly #targets = new Map<Page, string>();
  readonly #snapshots = new Map<Page, SnapshotElement[]>();
  readonly #actions: UserActions;
  #contextId = '';
  #isRecording = false;
  #reported = 0;
  /** The events, handled one after the other. */
  #work: Promise<void> = Promise.resolve();
  #last: Pick<Evidence, 'pages' | 'last_active'> | null = null;

  constructor(context: BrowserContext, options: UserRecordingOptions) {
    this.#context = context;
    this.#options = options;
    this.#actions = new UserActions(options.secrets);
  }

  async open(): Promise<void> {
    const { browser, startUrl, viewport } = this.#options;
    const page = await this.#context.newPage();
    await this.#follow(page);
    this.#context.on('page', (opened) => {
      this.#follow(opened).catch(() => {});
    });
    const target = await browser.observer.seen(this.#targets.get(page) ?? '');
    this.#contextId = target.contextId;
    await browser.observer.size(target, viewport);
    await page.goto(startUrl, { timeout: START_TIMEOUT_MS });
  }

  async record(): Promise<Recording> {
    const { browser, listener } = this.#options;
    const captured: Partial<Record<'start' | 'end', Evidence>> = {};
    const judge = this.#judge(captured);
    await judge.captureStart();
    const { start } = captured;
    if (start === undefined) throw new Error('the start was not captured');
    this.#isRecording = true;
    listener.ready();
    await this.#untilDone();
    await this.#work;
    this.#report(this.#actions.all.length);
    if (this.#tabs.length > 0 && browser.isRunning()) await judge.captureEnd(null, null);
    const { all: actions, notes, typedSecrets } = this.#actions;
    return { actions, notes, typedSecrets, start, end: captured.end ?? (await this.#endOf(start)) };
  }

  #judge(captured: Partial<Record<'start' | 'end', Evidence>>): Judge {
    const { browser, world, viewport } = this.#options;
    return new Judge({
      observer: browser.observer,
      untouched: () => Promise.resolve(browser),
      contextId: this.#contextId,
      world,
      // Nothing is judged yet.
      contracts: { success: { kind: 'no_dialog' } },
      viewport,
      settleMs: SETTLE_MS,
      sink: {
        event: () => {},
        clean: (value) => value,
        evidence: (moment, evidence) => {
          captured[moment] = evidence;
        },
      },
    });
  }

  /** The end when the user has closed the window: the pages as last seen, and all else as it is now. */
  async #endOf(start: Evidence): Promise<Evidence> {
    const { world } = this.#options;
    const [state, network] = [await world.state(), await world.network()];
    const since = start.network.captured ? start.network.value.since : { contract_enter: 0, last_tool_call: 0 };
    return {
      ...start,
      ...this.#last,
      screenshot: missing('the window was closed'),
      network: network.captured ? present({ entries: network.value.entries, since }) : network,
      app_state:
        state.captured && start.app_state.captured
          ? present({ start: start.app_state.value.start, now: state.value })
          : start.app_state,
    };
  }

  async #follow(page: Page): Promise<void> {
    this.#tabs.push(page);
    page.on('close', () => {
      const index = this.#tabs.indexOf(page);
      if (index !== -1) this.#tabs.splice(index, 1);
    });
    const session = await this.#context.newCDPSession(page);
    const { targetInfo } = await session.send('Target.getTargetInfo');
    this.#targets.set(page, targetInfo.targetId);
    await listenTo(page, {
      did: (event, where) => {
        this.#then(where, () => this.#did(event, where));
      },
      answered: (dialog, where) => {
        this.#then(where, () => Promise.resolve(this.#actions.answered(dialog)));
      },
      went: (url, where) => {
        this.#then(where, () => Promise.resolve(this.#actions.went(url, this.#tabOf(where))));
      },
    });
  }

  #then(page: Page, work: () => Promise<void>): void {
    if (!this.#isRecording) return;
    const target = this.#targets.get(page);
    if (target !== undefined) this.#options.browser.observer.touch(target);
    this.#work = this.#after(this.#work, work);
  }

  async #after(earlier: Promise<void>, work: () => Promise<void>): Promise<void> {
    await earlier;
    const notes = this.#actions.notes.length;
    await work();
    for (const note of this.#actions.notes.slice(notes)) this.#options.listener.note(note);
    // The user may still be typing the last one.
    this.#report(this.#actions.all.length - 1);
  }

  async #did(event: UserEvent, page: Page): Promise<void> {
    const tab = this.#tabOf(page);
    this.#actions.took(await this.#asShown(event, page), tab);
  }

  /** Gives the event the name that surfaces show, whose white space may differ. */
  async #asShown(event: UserEvent, page: Page): Promise<UserEvent> {
    const step = aimOf(event);
    if (step === null) return event;
    const known = named(step, this.#snapshots.get(page) ?? []) ?? named(step, await snapshotOf(page));
    if (known === null || !('name' in event)) return event;
    return { ...event, name: known };
  }

  #tabOf(page: Page): number {
    return Math.max(0, this.#tabs.indexOf(page));
  }

  #report(upTo: number): void {
    const { listener } = this.#options;
    for (; this.#reported < upTo; this.#reported += 1) {
      const action = this.#actions.all[this.#reported];
      if (action !== undefined) listener.step(action, this.#reported + 1);
    }
  }

  async #untilDone(): Promise<void> {
    const { done, browser } = this.#options;
    const ended = browser.ended.then(() => true);
    while (!done.aborted && this.#tabs.length > 0) {
      await this.#look().catch(() => {});
      const isOver = await Promise.race([ended, sleep(LOOK_MS, false, { signal: done }).catch(() => true)]);
      if (isOver) return;
    }
  }

  async #look(): Promise<void> {
    const { observer } = this.#options.browser;
    const pages = await capturePages(observer, this.#contextId);
    if (pages.pages.some(({ dom }) => dom.captured)) this.#last = pages;
    if (pages.pages.some(({ dialog }) => dialog !== null)) return;
    for (const page of this.#tabs) this.#snapshots.set(page, await snapshotOf(page));
  }
}

function aimOf(event: UserEvent): ElementStep | null {
  switch (event.kind) {
    case 'click':
      return { do: 'click', role: event.role, name: event.name };
    case 'fill':
      return { do: 'fill', label: event.name, text: '' };
    case 'choose':
      return { do: 'choose', label: event.name, option: event.option };
    case 'typed':
    case 'press':
    case 'unnamed':
      return null;
  }
}

/** The surface's name for the element of a step; null if it shows none. */
function named(step: ElementStep, elements: readonly SnapshotElement[]): string | null {
  const found = elementFor(step, elements);
  const name = nameOf(step);
  if (found !== undefined) return found.name === '' ? name : found.name;
  const sameName = elements.filter((each) => name !== '' && withoutSpace(each.name) === withoutSpace(name));
  const wanted = sameName.find((each) => elementFor(renamed(step, each.name), [each]) !== undefined);
  return wanted?.name ?? null;
}

function renamed<S extends ElementStep>(step: S, name: string): S {
  return 'name' in step ? { ...step, name } : { ...step, label: name };
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

async function snapshotOf(page: Page): Promise<SnapshotElement[]> {
  try {
    return elementsOf(await page.ariaSnapshot({ mode: 'ai', timeout: SNAPSHOT_MS }));
  } catch {
    // A dialog is open, or the page is gone.
    return [];
  }
}
