import type { Row } from '../bundle/row.ts';
import { nearMissReason, type TaskQualification } from '../plan/task-qualification.ts';
import { rateText } from '../report/figure-text.ts';
import { wilsonInterval } from '../stats/wilson.ts';

/** All that stands against a task, as its proof has it but for near-misses, of which it says what they should have come to. */
export function reasonsToShow({ reasons, near_misses: misses }: TaskQualification): string[] {
  const shown = new Map(misses.map((miss) => [nearMissReason(miss), missText(miss)]));
  return reasons.map((reason) => shown.get(reason) ?? reason);
}

function missText({ why, status }: TaskQualification['near_misses'][number]): string {
  return status === 'passed'
    ? `the near-miss "${why}" passed, but must fail`
    : `the near-miss "${why}" ended as ${status}, but must be carried out and fail`;
}

/** A perturbed trial that passes is no alarm yet: which ends are right is known when all trials are there. */
export function unlessWrong({ agent, status }: Pick<Row, 'agent' | 'status'>): string {
  const isPerturbed = agent.startsWith('perturbed-');
  return isPerturbed && status === 'passed' ? '(well so, if its end is a right one: judged after all trials)' : '';
}

/** The counts of perturbed ends. */
export function perturbedText({ judged, right, inconclusive }: TaskQualification['perturbed']): string {
  return `${judged} wrong, ${right.of} right${inconclusive === 0 ? '' : `, ${inconclusive} inconclusive`}`;
}

/**
 * Bounds the false passes of all tasks that qualify together: one task has too few to say much.
 * @param asked perturbations of each task, where there are as many
 */
export function falsePassesText(proofs: readonly TaskQualification[], asked: number): string {
  const good = proofs.filter(({ verdict }) => verdict === 'qualified').map(({ perturbed }) => perturbed);
  const judged = good.reduce((sum, perturbed) => sum + perturbed.judged, 0);
  const upper = wilsonInterval(0, judged)?.high ?? null;
  if (upper === null) return 'no wrong end state of a task that qualifies was judged';
  const bound = `false passes are at most ${rateText(upper)}`;
  // Where a task has fewer than were asked for, a higher number finds no more.
  const hasMore = good.some(({ judged: wrong, right, inconclusive }) => wrong + right.of + inconclusive >= asked);
  const more = hasMore ? `--perturbations above ${asked}, or more tasks` : 'more tasks';
  return `${judged} wrong end states of tasks that qualify, and none passed: ${bound} (95 %); more wrong ends would lower it: ${more}`;
}
