import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  type FaultKind,
  type Injectable,
  whyNotInCalls,
  FaultCount,
  Drawn,
  id,
  Milliseconds,
  type Injection,
  type FaultOutcome,
} from '../fault-kind.ts';
import type { BrowserPort, Tab } from '../ports.ts';

const FIELDS = {
  /** The tool call that it precedes, counted from 1. */
  call: Drawn.default(2),
  /** Duration of `offline` and `cpu_throttle`, in ms. */
  ms: Milliseconds.default(1_500),
};
const Written = z.strictObject({ id, ...FIELDS });
const Armed = Written.extend({ call: FaultCount });
type Written = z.infer<typeof Written>;
type ArmedBrowserFault = z.infer<typeof Armed>;

interface Done {
  /** The command or event that shows it; absent if it fires on contact. */
  command?: string;
  /** Called after the fault's `ms`, or at the end. */
  undo?: () => Promise<void>;
  /** Whether the agent has repaired what was broken. */
  isFixed?: () => boolean | Promise<boolean>;
}

/** Changes the active tab; null: nothing was or could be changed. */
type Act = (browser: BrowserPort, tab: Tab, fire: (command: string) => void) => Promise<Done | null>;

const DONE_MS = 5_000;
const LOOK_MS = 20;

/** A kind that strikes the browser, or the connection to it, before the nth tool call. */
function browserKind<const K extends string>(
  kind: K,
  about: string,
  act: Act,
  whyNot: (entrant: Injectable) => string | null = () => null,
) {
  const own = { kind: z.literal(kind) };
  return {
    kind,
    where: 'browser',
    about,
    schema: Written.extend(own),
    armed: Armed.extend(own),
    whyNot: (entrant) => whyNotInCalls(kind, entrant) ?? whyNot(entrant),
    draw: ({ call }, by) => ({ call: by.number(call, 'call') }),
    inject: (fault, outcome, { browser }): Injection => new BrowserInjection(act, fault, outcome, browser),
  } as const satisfies FaultKind<Written & { kind: K }, ArmedBrowserFault & { kind: K }>;
}

async function becomes(is: () => boolean): Promise<boolean> {
  const giveUpAt = performance.now() + DONE_MS;
  while (!is() && performance.now() < giveUpAt) await sleep(LOOK_MS);
  return is();
}

class BrowserInjection implements Injection {
  readonly #act: Act;
  readonly #fault: ArmedBrowserFault;
  readonly #outcome: FaultOutcome;
  readonly #browser: BrowserPort;
  #done: Done = {};
  #timer: NodeJS.Timeout | null = null;
  #ending: Promise<void> = Promise.resolve();

  constructor(act: Act, fault: ArmedBrowserFault, outcome: FaultOutcome, browser: BrowserPort) {
    this.#act = act;
    this.#fault = fault;
    this.#outcome = outcome;
    this.#browser = browser;
  }

  async beforeCall(number: number): Promise<void> {
    if (number !== this.#fault.call) return;
    const tab = this.#browser.activeTab();
    if (tab === undefined) return;
    const fire = (command: string): void => {
      this.#outcome.fire({ call: number, command });
    };
    // It failed, so the fault stays armed.
    const done = await this.#act(this.#browser, tab, fire).catch(() => null);
    if (done === null) return;
    this.#done = done;
    if (done.command !== undefined) fire(done.command);
    if (done.undo === undefined) return;
    this.#timer = setTimeout(() => {
      this.#ending = this.#over('time');
    }, this.#fault.ms);
  }

  async end(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#ending;
    if (this.#done.undo !== undefined) await this.#over('harness');
    else if (this.#outcome.hasFired && (await this.#isFixed())) this.#outcome.clear('agent');
  }

  async #isFixed(): Promise<boolean> {
    try {
      return (await this.#done.isFixed?.()) ?? false;
    } catch {
      return false;
    }
  }

  async #over(by: 'time' | 'harness'): Promise<void> {
    const { undo } = this.#done;
    this.#done = {};
    await undo?.().catch(() => {});
    this.#outcome.clear(by);
  }
}

const ONLINE = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

const RATE = 20;

export const BROWSER_KINDS = [
  browserKind('tab_crash', 'the process of the tab ends; the agent must open another tab', async (browser, tab) => {
    // The target is gone.
    browser.cdp.send('Page.crash', undefined, { sessionId: tab.sessionId }).catch(() => {});
    if (!(await becomes(() => tab.crashed))) return null;
    return { command: 'Inspector.targetCrashed', isFixed: () => browser.tabs().some(({ crashed }) => !crashed) };
  }),
  browserKind('target_closed', 'the tab is closed; the agent must open another', async (browser, tab) => {
    await browser.cdp.send('Target.closeTarget', { targetId: tab.targetId });
    if (!(await becomes(() => !browser.tabs().includes(tab)))) return null;
    return { command: 'Target.closeTarget', isFixed: () => browser.tabs().length > 0 };
  }),
  browserKind(
    'connection_cut',
    'the tool server loses its connection to the browser, and must reconnect by itself',
    ({ gateway }) => {
      const before = gateway?.log.commands ?? 0;
      const isCut = (gateway?.cut() ?? 0) > 0;
      const isFixed = (): boolean => (gateway?.log.commands ?? 0) > before;
      return Promise.resolve(isCut ? { command: 'the gateway ended the connections', isFixed } : null);
    },
    ({ hasServer }) => (hasServer ? null : 'the surface has no connection of its own to be cut'),
  ),
  /** It fires only if a request is made meanwhile. */
  browserKind(
    'offline',
    'the browser is offline for a time; it fires when a request fails',
    async ({ cdp }, { sessionId }, fire) => {
      const ignore = cdp.on('Network.loadingFailed', ({ errorText }, of) => {
        if (of === sessionId && errorText.includes('INTERNET_DISCONNECTED')) fire('Network.loadingFailed');
      });
      const undo = async (): Promise<void> => {
        ignore();
        await cdp.send('Network.emulateNetworkConditions', ONLINE, { sessionId });
        await cdp.send('Network.disable', undefined, { sessionId });
      };
      try {
        await cdp.send('Network.enable', undefined, { sessionId });
        await cdp.send('Network.emulateNetworkConditions', { ...ONLINE, offline: true }, { sessionId });
        return { undo };
      } catch {
        await undo().catch(() => {});
        return null;
      }
    },
  ),
  browserKind('cpu_throttle', `the processor is ${RATE} times slower for a time`, async ({ cdp }, { sessionId }) => {
    const throttle = async (rate: number): Promise<void> => {
      await cdp.send('Emulation.setCPUThrottlingRate', { rate }, { sessionId });
    };
    await throttle(RATE);
    return { command: 'Emulation.setCPUThrottlingRate', undo: () => throttle(1) };
  }),
  browserKind(
    'cookies_gone',
    'the browser loses its cookies; it fires if there are any',
    async ({ cdp, contextId: browserContextId }) => {
      const hasCookies = async (): Promise<boolean> =>
        (await cdp.send('Storage.getCookies', { browserContextId })).cookies.length > 0;
      if (!(await hasCookies())) return null;
      await cdp.send('Storage.clearCookies', { browserContextId });
      return { command: 'Storage.clearCookies', isFixed: hasCookies };
    },
  ),
] as const;
