import type { Locator, Page } from 'playwright-core';
import type { Binding, SurfaceIntent } from '../../task/intent.ts';
import type { ReplyImage, ToolReply } from '../../task/tool.ts';
import type { Stage, Timing } from './stage.ts';
import type { Tools } from './tools.ts';
import type { TargetReport, TargetFacts } from '../../task/target.ts';
import { factsOfError } from './playwright-errors.ts';

export interface Shown {
  text: string;
  image?: ReplyImage;
  /** Whether the text only states why the tab cannot be shown. */
  isNotice?: boolean;
}

/** All that differs between our surfaces: how a tab is shown, and which tools there are. */
export interface View<S extends Shown> {
  /** If the tools change, it is another table. */
  readonly tools: Tools<Act<S>>;
  /** The kind of a reply that shows a tab. */
  readonly kind: string;
  readonly loaded?: LoadState;
  readonly runtimeVersion?: string | null;
  show(page: Page, timing: Timing): Promise<S>;
  /** Whether `show` failed because the page navigated to another, which is shown instead. */
  isLeft?(error: unknown): boolean;
  bind(intent: SurfaceIntent, last: ToolReply | null, seen: Seen<S>): Binding | Promise<Binding>;
}

export interface Seen<S extends Shown> {
  shown: S | null;
  page: Page;
}

export type LoadState = 'load' | 'domcontentloaded';

export interface Turn<S extends Shown> {
  readonly stage: Stage;
  readonly signal: AbortSignal;
  readonly target: CallTarget;
  /** The tab that the agent was shown last, those before it, and the number of tabs that were listed to it. */
  readonly shown: S | null;
  readonly earlier: readonly S[];
  readonly tabsShown: number;
  /** The tab in front now, without showing it to the agent; null if a dialog has opened. */
  see(): Promise<S | null>;
}

export interface Act<S extends Shown> {
  /** Reports the target before anything is done. */
  locate?(turn: Turn<S>): void;
  /** Whether it works while a dialog is open. */
  despiteDialog?: boolean;
  run(turn: Turn<S>): Promise<Outcome<S>>;
}

/** Why a call is not done, or how to show the tab after it. */
export type Outcome<S extends Shown> = { problem: string } | Done<S>;

interface Done<S extends Shown> {
  result?: string;
  loaded?: LoadState;
  /** Whether the tab is what the agent asked for. */
  isLook?: boolean;
  /** Returns why it is not done after all, by what the tab shows, or null. */
  whyUndone?(shown: S): string | null;
}

/** An act on the tab in front, without a target. */
export function onTab(run: (page: Page, timing: Timing) => Promise<unknown>, done: Done<Shown> = {}): Act<Shown> {
  return {
    run: async ({ stage, signal }) => {
      await stage.act(run, signal);
      return done;
    },
  };
}

export const LOOK: Act<Shown> = { run: () => Promise.resolve({ isLook: true }) };

/** The way in which the calls of a surface name elements. */
export interface ElementNames<S extends Shown> {
  /** The meaning of a name in the view that the agent was shown. */
  locate(name: string, shown: S | null): Located;
  /** The element that a name means now; else the number of matches, and why none can be acted on. */
  find(page: Page, name: string, located: Located, timing: Timing): Promise<Found>;
}

export type Found = { element: Locator } | { count: number; why: string };

/**
 * An act on the element that a call names. The target of one that drops it on another is the first of both that was not shown exactly once.
 * @param to names the other
 */
export function onElement<S extends Shown>(
  names: ElementNames<S>,
  name: string,
  run: (element: Locator, timing: Timing, drop: Locator) => Promise<unknown>,
  to?: string,
): Act<S> {
  const targetIn = (shown: S | null): string =>
    [name, to ?? name].find((each) => names.locate(each, shown).matched_then !== 1) ?? name;
  return {
    locate: ({ target, shown, earlier }) => {
      const named = targetIn(shown);
      target.located({
        ...names.locate(named, shown),
        shown_before: earlier.some((each) => names.locate(named, each).shown),
      });
    },
    run: async ({ stage, signal, target, shown }) => {
      await stage.act(async (page, timing) => {
        const find = async (each: string): Promise<Locator> => {
          const found = await names.find(page, each, names.locate(each, shown), timing);
          if ('element' in found) return found.element;
          target.learn({ matched_now: found.count });
          throw new Error(found.why);
        };
        const element = await find(name);
        const drop = to === undefined ? element : await find(to);
        // If a dialog interrupts the action, it has been sent.
        target.learn({ matched_now: 1, dispatched: true });
        try {
          await run(element, timing, drop);
          target.learn({ actionable: true });
        } catch (error) {
          target.learn({ dispatched: false, ...factsOfError(error) });
          throw error;
        }
      }, signal);
      return {};
    },
  };
}

export type Located = Pick<TargetFacts, 'shown' | 'matched_then'>;

const NOTHING_KNOWN: TargetFacts = {
  shown: false,
  shown_before: false,
  matched_then: null,
  matched_now: null,
  actionable: null,
  dispatched: false,
  invented: [],
};

/** Collects the facts about the target of one call, for the judge. */
export class CallTarget {
  #report: TargetReport | null = null;

  get report(): TargetReport | null {
    return this.#report;
  }

  notApplicable(reason: string): void {
    this.#report = { untold: reason };
  }

  located(facts: Partial<TargetFacts>): void {
    this.#report = { ...NOTHING_KNOWN, ...facts };
  }

  /** Adds facts to those about a target that was located. */
  learn(facts: Partial<TargetFacts>): void {
    if (this.#report !== null && 'shown' in this.#report) this.#report = { ...this.#report, ...facts };
  }

  /** Adds names that do not exist, next to a target or without one. */
  invented(names: string[]): void {
    if (names.length === 0) return;
    if (this.#report === null) this.located({});
    this.learn({ invented: names });
  }
}
