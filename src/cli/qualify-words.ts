import {
  CONTROLS,
  NO_MUTANT,
  NO_WRONG_END,
  NOT_TRIED,
  nearMissReason,
  survivorReason,
  type TaskQualification,
  untriedReason,
} from '../plan/task-qualification.ts';
import type { JudgedOtherwise } from '../qualify/judged-otherwise.ts';
import { rateText } from '../report/numbers.ts';
import { wilsonInterval } from '../stats/proportion.ts';
import { counted } from '../report/numbers.ts';

/**
 * All that stands against a task: as its proof has it where that is plain, else in words that say what should have come, or why nothing did.
 * Trials that were left out as its solution never passed are no news beside that.
 * @param told what is told in more words beside it, and so not here
 */
export function reasonsToShow(
  proof: TaskQualification,
  told: readonly Pick<JudgedOtherwise, 'reasons'>[] = [],
): string[] {
  const { reasons, near_misses: misses, mutants, reference } = proof;
  const shown = new Map([
    ...misses.map((miss) => [nearMissReason(miss), missText(miss)] as const),
    ...mutants.map((each) => [survivorReason(each), survivorText(each.mutant)] as const),
    [NO_MUTANT, `no weakened contract was tried, since ${whyNone(reference.passed)}`],
  ]);
  const hidden = new Set([...told.flatMap((each) => each.reasons), ...reasonsOfUntried(proof)]);
  return reasons.filter((reason) => !hidden.has(reason)).map((reason) => shown.get(reason) ?? reason);
}

/** The reasons that follow from there being no trials but those of a solution that never passed. */
function reasonsOfUntried({ reference, controls, near_misses: misses }: TaskQualification): string[] {
  const untried = CONTROLS.filter((id) => !Object.hasOwn(controls, id));
  if (reference.passed > 0 || reference.of === 0 || untried.length === 0) return [];
  return [...untried.map(untriedReason), ...misses.map(nearMissReason), NO_MUTANT, NO_WRONG_END];
}

function survivorText(mutant: string): string {
  return `the weakened contract ${mutant} judged every end that was tried as yours does`;
}

function whyNone(passed: number): string {
  return passed === 0 ? 'the solution never passed' : 'nothing in it can be weakened';
}

function missText({ why, status }: TaskQualification['near_misses'][number]): string {
  return status === 'passed'
    ? `the near-miss "${why}" passed, but must fail`
    : `the near-miss "${why}" ended as ${status}, but must be carried out and fail`;
}

/** Counts the near-misses that were carried out and failed. */
export function missesText(misses: TaskQualification['near_misses']): string {
  const isUntried = misses.length > 0 && misses.every(({ status }) => status === NOT_TRIED);
  return isUntried ? NOT_TRIED : `${misses.filter(({ status }) => status === 'failed').length}/${misses.length}`;
}

/** Names what changes by itself, and where the solution did not pass, the remedy: a guard takes that for damage. */
export function volatileText({ volatile, reference }: Pick<TaskQualification, 'volatile' | 'reference'>): string {
  const said = `changes by itself: ${volatile.join(', ')}`;
  if (reference.passed === reference.of) return said;
  return `${said}: add it to \`except\` of the guard, or take it out of the state that the app tells`;
}

/** Counts the weakened contracts, and those that were caught: that some end tells from the real one. */
export function weakenedText(mutants: TaskQualification['mutants']): string {
  if (mutants.length === 0) return 'none tried';
  const [caught, waived] = [
    mutants.filter(({ killed_by: by }) => by !== null).length,
    mutants.filter((each) => each.waived !== null).length,
  ];
  return `${caught} of ${mutants.length} caught${waived === 0 ? '' : `, ${waived} waived`}`;
}

/** Counts the ends of changed solutions, and the wrong ones that passed. Which are right, only a solution that passes can tell. */
export function changedText({ perturbed, reference }: Pick<TaskQualification, 'perturbed' | 'reference'>): string {
  if (reference.passed === 0) return 'not judged';
  const { judged, right, inconclusive, false_passes: passed } = perturbed;
  return [
    judged === 0
      ? 'no wrong end'
      : `${counted(judged, 'wrong end')}: ${passed.length === 0 ? 'none' : passed.length} passed`,
    ...(right.of === 0 ? [] : [counted(right.of, 'right end')]),
    ...(inconclusive === 0 ? [] : [`${inconclusive} undecided`]),
  ].join('; ');
}

/** Explains the columns whose heads are words of ours. */
export function columnsNote(): string[] {
  return [
    '"weakened contracts": yours with a clause dropped or loosened; caught where some wrong end would pass it, and fails yours.',
    '"changed solutions": yours with steps left out, doubled or altered; one that ends otherwise than yours must fail.',
  ];
}

/**
 * Bounds the false passes of all tasks that qualify together: one task has too few to say much. Null where there is nothing to say.
 * @param asked perturbations of each task, where there are as many
 */
export function falsePassesText(proofs: readonly TaskQualification[], asked: number): string | null {
  const good = proofs.filter(({ verdict }) => verdict === 'qualified').map(({ perturbed }) => perturbed);
  const judged = good.reduce((sum, perturbed) => sum + perturbed.judged, 0);
  const upper = wilsonInterval(0, judged)?.high ?? null;
  if (upper === null) return null;
  // Where a task has fewer than were asked for, a higher number finds no more.
  const hasMore = good.some(({ judged: wrong, right, inconclusive }) => wrong + right.of + inconclusive >= asked);
  const more = hasMore ? `raise --perturbations above ${asked}, or add tasks` : 'add tasks on the same app';
  const tried = `${counted(judged, 'wrong end')} ${judged === 1 ? 'was' : 'were'} tried, and none passed, as it should be`;
  return `${tried}. So few cannot rule out that such ends pass at a rate below ${rateText(upper)} (95 %): to rule out more, ${more}; to try an end that you fear, write a near-miss`;
}
