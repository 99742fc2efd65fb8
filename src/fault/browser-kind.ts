import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type FaultKind, type Injectable, whyNotInCalls } from './fault-kind.ts';
import { FaultCount, Drawn, id, Milliseconds } from './fields.ts';
import type { Injection, FaultOutcome } from './injection.ts';
import type { BrowserPort, Tab } from './ports.ts';

const FIELDS = {
  /** Before which tool call it comes, counted from 1. */
  call: Drawn.default(2),
  /** For `offline` and `cpu_throttle`: its duration in ms. */
  ms: Milliseconds.default(1_500),
};
const Written = z.strictObject({ id, ...FIELDS });
const Armed = Written.extend({ call: FaultCount });
type Written = z.infer<typeof Written>;
type ArmedBrowserFault = z.infer<typeof Armed>;

/** A change that was made to the browser. */
interface Done {
  /** The command or event that shows it; absent if it fires on contact. */
  command?: string;
  /** Takes it back, after the fault's `ms` or at the end. */
  undo?: () => Promise<void>;
  /** Whether what was broken works again, where the agent has to see to that. */
  isFixed?: () => boolean | Promise<boolean>;
}

/** Does it to the active tab; null: it was not done, or there was nothing to be done it to. */
type Act = (browser: BrowserPort, tab: Tab, fire: (command: string) => void) => Promise<Done | null>;

/** Time for a browser to do a thing, and between looks whether it has, in ms. */
const DONE_MS = 5_000;
const LOOK_MS = 20;

/** A kind that comes over the browser, or the way to it, before the nth tool call. */
export function browserKind<const K extends string>(
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

/** Wait until something is so. @returns whether it is, after 5 s at most */
export async function becomes(is: () => boolean): Promise<boolean> {
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
    // It could not be done: the fault stays armed.
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

  /** A browser that has ended fixes nothing. */
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
