import type { Reason } from '../claim/eligibility.ts';
import { groupBy } from '../claim/group.ts';
import type { HeadlineAxis } from '../claim/policy.ts';
import { messageFor, remedyOf } from '../messages/messages.ts';
import { barredComparisons, decisionsOn, namesIn } from './decisions.ts';
import type { Report } from './report.ts';

/** A reason against a claim, with all that was found of it. */
export interface StandingReason {
  code: Reason['code'];
  /** Lifts it, as an order. */
  remedy: string | null;
  found: { text: string; whom: string }[];
}

/** Say all that was found of a reason, so that one reason is one item of a list. */
export function foundInWords({ found }: StandingReason, textOf: (text: string) => string = (text) => text): string {
  return found.map(({ text, whom }) => `${textOf(text)} (${whom})`).join('; ');
}

/** Those that stand against what is claimed of an entrant alone; then those that stand only against comparing two. */
export function standingReasons(
  claims: Report['claims'],
  axis: HeadlineAxis,
): { alone: StandingReason[]; compared: StandingReason[] } {
  const decisions = decisionsOn(claims, axis);
  return {
    alone: byCode(
      decisions.map((decision) => ({ reasons: decision.reasons, whom: namesIn(decision) })),
      decisions.length,
    ),
    compared: byCode(
      barredComparisons(claims, axis).map(({ reasons, pairs }) => ({ reasons, whom: pairs.join('; ') })),
    ),
  };
}

/** @param all the number of those against whom it may stand, who are not named one by one where it stands against each */
function byCode(barring: readonly { reasons: readonly Reason[]; whom: string }[], all = 0): StandingReason[] {
  const found = barring.flatMap(({ reasons, whom }) => reasons.map((reason) => ({ ...reason, whom })));
  const sorted = found.toSorted((a, b) => a.code.localeCompare(b.code, 'en'));
  return [...groupBy(sorted, ({ code }) => code).values()].flatMap((same) =>
    same.slice(0, 1).map((reason) => ({
      code: reason.code,
      remedy: remedyOf(reason),
      found: [...groupBy(same, messageFor)].map(([text, alike]) => ({
        text,
        whom: alike.length === all ? 'each entrant' : alike.map(({ whom }) => whom).join('; '),
      })),
    })),
  );
}
