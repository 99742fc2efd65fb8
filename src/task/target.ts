import { z } from 'zod';

const Count = z.int().min(0);

/** Number of earlier views that still count: naming something that was shown in them, and is gone, is not invention. */
export const EARLIER_VIEWS = 5;

/** The thing that one action named: when the agent chose it, and when the action ran. */
export const TargetFacts = z.strictObject({
  /** In the last view. */
  shown: z.boolean(),
  /** In one of the `EARLIER_VIEWS` before that. */
  shown_before: z.boolean(),
  matched_then: Count.nullable(),
  /** Number of matches when the action ran; null if unknown. */
  matched_now: Count.nullable(),
  /** Whether the match was visible, uncovered and enabled; null if not checked. */
  actionable: z.boolean().nullable(),
  /** Whether anything was sent to the page or done by the app. */
  dispatched: z.boolean(),
  /** Other arguments whose values do not exist: an option, a field or a tool. */
  invented: z.array(z.string()),
});
export type TargetFacts = z.infer<typeof TargetFacts>;

/** `untold`: why the surface cannot tell. */
export const TargetReport = z.union([TargetFacts, z.strictObject({ untold: z.string().min(1) })]);
export type TargetReport = z.infer<typeof TargetReport>;

/**
 * The classes of a target, the same for every surface. `phantom`: never shown to the agent; `not_yet_present`: it appeared
 * after the last view; `stale`: shown, and gone; `ambiguous`: several; `blocked`: present, but not actionable.
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

/** The first class that applies; null if the facts do not show it. */
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

/** Whether the agent named something that it made up. */
export function isPhantom(targets: TargetClass): boolean {
  return targets === 'phantom' || targets === 'invented_argument';
}
