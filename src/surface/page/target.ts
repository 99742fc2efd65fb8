import type { TargetReport, TargetFacts } from '../../task/target.ts';
import { NoSuchOptionError } from './choose-option.ts';
import { isPlaywrightTimeout } from './playwright-words.ts';

/** Facts about a target before its call runs. */
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

  /** Null while the call has no target. */
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

/** Reads from an error of Playwright's what it reports about the element of an action. */
export function factsOfError(error: unknown): Partial<TargetFacts> {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof NoSuchOptionError) return { actionable: true, invented: ['option'] };
  // A sent event stays sent, even if what followed it timed out.
  if (/(?:click|dblclick|hover) action done/.test(text)) return { actionable: true, dispatched: true };
  if (isPlaywrightTimeout(error) || /Element is not|element is not/.test(text)) return { actionable: false };
  return {};
}
