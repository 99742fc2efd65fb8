import { z } from 'zod';

const Count = z.int().min(0);

/** Number of views before the last that still count: who names what stood there, and is gone, has not made it up. */
export const EARLIER_VIEWS = 5;

/** The facts about the thing that one action named: when the agent chose it, and when the action ran. */
export const TargetFacts = z.strictObject({
  /** Whether it stood in what the agent had been shown last. */
  shown: z.boolean(),
  /** Whether it stood in one of the `EARLIER_VIEWS` before that. */
  shown_before: z.boolean(),
  /** Number of things on the page that it matched when it was shown; null if unknown. */
  matched_then: Count.nullable(),
  /** Number that it matched when the action ran; null if unknown. */
  matched_now: Count.nullable(),
  /** Whether what it matched could be acted on: seen, not covered, not disabled. Null where that was not asked. */
  actionable: z.boolean().nullable(),
  /** Whether anything was sent to the page, or done by the app: what an app's tool refused was not. */
  dispatched: z.boolean(),
  /** Arguments, besides the target, whose values do not exist: an option of no list, a field of no schema, a tool of no list. */
  invented: z.array(z.string()),
});
export type TargetFacts = z.infer<typeof TargetFacts>;

/** The target of a call as the surface reports it: what it saw, or why it cannot tell. */
export const TargetReport = z.union([TargetFacts, z.strictObject({ untold: z.string().min(1) })]);
export type TargetReport = z.infer<typeof TargetReport>;

/**
 * The classes of a target; one rule for every surface. `phantom`: not shown to the agent, and no later comer either;
 * `not_yet_present`: not shown last because it came later; `stale`: shown, last or before, and gone; `ambiguous`: several; `blocked`: there, and not to be acted on.
 */
export const TARGET_CLASSES = [
  'resolved',
  'phantom',
  'invented_argument',
  'ambiguous',
  'stale',
  'not_yet_present',
  'blocked',
] as const;
export type TargetClass = (typeof TARGET_CLASSES)[number];

/** The first that applies. @returns null when what is known does not tell. */
export function targetClass(facts: TargetFacts): TargetClass | null {
  if (facts.invented.length > 0) return 'invented_argument';
  const { shown, matched_then: before, matched_now: now } = facts;
  if (!shown && before === 0 && now !== null && now > 0) return 'not_yet_present';
  if (!shown && !facts.shown_before) return 'phantom';
  if (now === 0) return 'stale';
  if (now !== null && now > 1) return 'ambiguous';
  if (facts.actionable === false) return 'blocked';
  if (now === null || facts.actionable === null) return facts.dispatched ? 'resolved' : null;
  return 'resolved';
}

/** Whether the agent has named something that it made up. */
export function isPhantom(targets: TargetClass): boolean {
  return targets === 'phantom' || targets === 'invented_argument';
}
