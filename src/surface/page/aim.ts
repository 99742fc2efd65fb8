import type { z } from 'zod';
import type { TargetReport, TargetSight } from '../../task/target.ts';
import { NoSuchOptionError } from './choose-option.ts';
import { isPlaywrightTimeout } from './playwright-words.ts';
import type { Sighting } from './view.ts';

/** Collects what becomes known of the target of one call, while it runs. */
export class Aim {
  #report: TargetReport | null = null;

  /** Null while the call aims at nothing. */
  get report(): TargetReport | null {
    return this.#report;
  }

  untold(why: string): void {
    this.#report = { untold: why };
  }

  at(sighting: Sighting, known: Partial<TargetSight> = {}): void {
    this.#report = {
      ...sighting,
      shown_before: false,
      matched_now: null,
      actionable: null,
      dispatched: false,
      invented: [],
      ...known,
    };
  }

  learn(known: Partial<TargetSight>): void {
    if (this.#report !== null && 'shown' in this.#report) this.#report = { ...this.#report, ...known };
  }

  /** The call names something that does not exist, beside its target or without one. */
  invented(names: string[]): void {
    if (names.length === 0) return;
    if (this.#report === null) this.at({ shown: false, matched_then: null });
    this.learn({ invented: names });
  }
}

/** Reads from an error of Playwright's what it says of the element that an action was for. */
export function sightOfError(error: unknown): Partial<TargetSight> {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof NoSuchOptionError) return { actionable: true, invented: ['option'] };
  // A sent event stays sent, whatever was waited for then.
  if (/(?:click|dblclick|hover) action done/.test(text)) return { actionable: true, dispatched: true };
  if (isPlaywrightTimeout(error) || /Element is not|element is not/.test(text)) return { actionable: false };
  return {};
}

/** Arguments that no tool of this kind takes, or choices that it does not offer. */
export function inventedArguments(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys;
    return issue.code === 'invalid_value' ? [issue.path.join('.')] : [];
  });
}
