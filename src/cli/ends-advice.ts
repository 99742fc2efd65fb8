import type { TaskQualification } from '../plan/task-qualification.ts';
import type { Left } from '../qualify/right-end.ts';

type Perturbed = Pick<TaskQualification['perturbed'], 'judged' | 'right' | 'inconclusive'>;

const KEEP_STATE = 'let the app keep state (`program` with `state`)';

/**
 * Says why perturbed ends could not be told apart, or were judged otherwise than their kind, and what to do about it.
 * @param left absent where the task was not tried now, or its solution did not pass: then nobody knows
 */
export function endsAdvice({ judged, right, inconclusive }: Perturbed, left: Left | undefined): string[] {
  if (left === undefined) return [];
  const lines: string[] = [];
  if (right.passed < right.of) lines.push(failingRightEnds(left));
  if (judged === 0) lines.push(noWrongEnd(left, inconclusive));
  return lines;
}

function noWrongEnd(left: Left, inconclusive: number): string {
  if (inconclusive > 0 && !Object.values(left).includes(true)) {
    return `this task leaves nothing behind but the page, so nothing tells whether ${inconclusive} perturbed ends are right or wrong (near-misses and controls are judged apart): ${KEEP_STATE}, change the address, ask for an answer, or send a request with a body`;
  }
  return 'no perturbed steps led to a wrong end (near-misses and controls are judged apart): raise --perturbations, or add a task on the same app, whose solution is then tried here too';
}

function failingRightEnds({ state, sent, answer, address }: Left): string {
  const traces = [
    ...(state ? ['app state'] : []),
    ...(sent && !state ? ['requests'] : []),
    ...(answer ? ['answer'] : []),
    ...(address && !state && !sent ? ['address'] : []),
  ].join(' and ');
  return state || sent
    ? `an end is a right one by its ${traces}, and these were; yet the contract asks for more: loosen what fails there, or ${state ? "let the app's state tell these ends apart" : KEEP_STATE}`
    : `this task leaves no state and sends nothing, so an end is a right one by its ${traces} alone, whatever the page shows: ${KEEP_STATE}, send a request with a body, or let the contract ask for nothing else`;
}
