import { setTimeout as sleep } from 'node:timers/promises';
import type { ObservedPage, Observer } from '../../browser/observer.ts';
import type { FaultRecord } from '../../fault/fault-record.ts';
import type { ArmedBrowserFault } from '../../fault/schema.ts';
import type { Place } from '../place.ts';
import type { Striker } from './striker.ts';

/** How long a browser may take to do a thing, in ms, and how often it is looked whether it has. */
const DONE_MS = 5_000;
const LOOK_MS = 20;
/** How much slower the processor seems. */
const THROTTLE = 20;
const ONLINE = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/** The command by which it was done; or it was done, and has fired only when somebody runs into it. */
type Blow = { command: string } | 'not felt yet';

/** Strikes the browser, or the way to it, before the nth tool call. */
export class BrowserStriker implements Striker {
  readonly #fault: ArmedBrowserFault;
  readonly #record: FaultRecord;
  readonly #observer: Observer;
  readonly #place: Place;
  #timer: NodeJS.Timeout | null = null;
  #undo: (() => Promise<void>) | null = null;
  #ending: Promise<void> = Promise.resolve();
  /** Whether what was struck works again, where the agent has to see to that. */
  #isMended: () => boolean | Promise<boolean> = () => false;

  constructor(fault: ArmedBrowserFault, record: FaultRecord, observer: Observer, place: Place) {
    this.#fault = fault;
    this.#record = record;
    this.#observer = observer;
    this.#place = place;
  }

  async beforeCall(number: number): Promise<void> {
    if (number !== this.#fault.call) return;
    const page = this.#observer.activePage(this.#place.contextId);
    if (page === undefined) return;
    // What cannot be done has not been done: the fault stays armed.
    const blow = await this.#strike(page, number).catch(() => null);
    if (blow === null) return;
    if (blow !== 'not felt yet') this.#record.fire({ call: number, command: blow.command });
    if (this.#undo === null) return;
    this.#timer = setTimeout(() => {
      this.#ending = this.#over('time');
    }, this.#fault.ms);
  }

  async end(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#ending;
    if (this.#undo !== null) await this.#over('harness');
    else if (this.#record.hasFired && (await this.#hasMended())) this.#record.clear('agent');
  }

  /** A browser that has ended mends nothing. */
  async #hasMended(): Promise<boolean> {
    try {
      return await this.#isMended();
    } catch {
      return false;
    }
  }

  async #over(by: 'time' | 'harness'): Promise<void> {
    await this.#undo?.().catch(() => {});
    this.#undo = null;
    this.#record.clear(by);
  }

  /** @returns the command by which it was done; null when it was not, or when there was nothing to be done it to */
  async #strike(page: ObservedPage, number: number): Promise<Blow | null> {
    const { contextId, gateway } = this.#place;
    const { cdp } = this.#observer;
    const { targetId, sessionId } = page;
    switch (this.#fault.kind) {
      case 'tab_crash':
        // Nobody is left to answer it.
        cdp.send('Page.crash', undefined, { sessionId }).catch(() => {});
        this.#isMended = () => this.#observer.pages(contextId).some(({ crashed }) => !crashed);
        return (await this.#until(() => page.crashed)) ? { command: 'Inspector.targetCrashed' } : null;
      case 'target_closed':
        await cdp.send('Target.closeTarget', { targetId });
        this.#isMended = () => this.#observer.pages(contextId).length > 0;
        return (await this.#until(() => !this.#observer.pages(contextId).includes(page)))
          ? { command: 'Target.closeTarget' }
          : null;
      case 'connection_cut': {
        const before = gateway?.log.commands ?? 0;
        this.#isMended = () => (gateway?.log.commands ?? 0) > before;
        return (gateway?.cut() ?? 0) > 0 ? { command: 'the gateway ended the connections' } : null;
      }
      case 'cookies_gone':
        if (!(await this.#hasCookies())) return null;
        await cdp.send('Storage.clearCookies', { browserContextId: contextId });
        this.#isMended = () => this.#hasCookies();
        return { command: 'Storage.clearCookies' };
      case 'offline':
        await this.#goOffline(sessionId, number);
        return 'not felt yet';
      case 'cpu_throttle':
        await cdp.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE }, { sessionId });
        this.#undo = async () => {
          await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 }, { sessionId });
        };
        return { command: 'Emulation.setCPUThrottlingRate' };
    }
  }

  /** It has fired when a request fails for it: who asks for nothing while it lasts is not struck. */
  async #goOffline(sessionId: string, number: number): Promise<void> {
    const { cdp } = this.#observer;
    const ignore = cdp.on('Network.loadingFailed', ({ errorText }, of) => {
      if (of !== sessionId || !errorText.includes('INTERNET_DISCONNECTED')) return;
      this.#record.fire({ call: number, command: 'Network.loadingFailed' });
    });
    this.#undo = async () => {
      ignore();
      await cdp.send('Network.emulateNetworkConditions', ONLINE, { sessionId });
      await cdp.send('Network.disable', undefined, { sessionId });
    };
    await cdp.send('Network.enable', undefined, { sessionId });
    await cdp.send('Network.emulateNetworkConditions', { ...ONLINE, offline: true }, { sessionId });
  }

  async #hasCookies(): Promise<boolean> {
    const { contextId: browserContextId } = this.#place;
    return (await this.#observer.cdp.send('Storage.getCookies', { browserContextId })).cookies.length > 0;
  }

  async #until(is: () => boolean): Promise<boolean> {
    const giveUpAt = performance.now() + DONE_MS;
    while (!is() && performance.now() < giveUpAt) await sleep(LOOK_MS);
    return is();
  }
}
