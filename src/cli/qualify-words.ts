import type { Row } from '../bundle/row.ts';
import { nearMissReason, type TaskQualification } from '../plan/task-qualification.ts';
import { rateText } from '../report/figure-text.ts';
import { wilsonInterval } from '../stats/wilson.ts';
import { counted } from './counted.ts';

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

/** Glosses the name of a trial, for whoever has not read what is tried. */
export function trialText(agent: string): string {
  if (agent === 'teleport') return 'teleport (straight to the last address)';
  if (agent === 'quitter') return 'quitter (gives up at once)';
  return agent.replace(/^perturbed-(\d+)$/, 'perturbed-$1 (changed steps)');
}

/** A perturbed trial that passes is no alarm yet: which ends are right is known when all trials are there. */
export function unlessWrong({ agent, status }: Pick<Row, 'agent' | 'status'>): string {
  return agent.startsWith('perturbed-') && status === 'passed' ? '(its end is checked after all trials)' : '';
}

/** The counts of perturbed ends. */
export function perturbedText({ judged, right, inconclusive }: TaskQualification['perturbed']): string {
  return `${judged} wrong, ${right.of} right${inconclusive === 0 ? '' : `, ${inconclusive} inconclusive`}`;
}

/** Counts the wrong ends that were tried, and those that passed. */
export function wrongEndsText({ judged, false_passes: passed }: TaskQualification['perturbed']): string {
  if (judged === 0) return 'none tried';
  return `${judged} tried, ${passed.length === 0 ? 'none' : passed.length} passed`;
}

/** Explains the columns whose heads are words of ours. */
export function columnsNote(): string[] {
  return [
    '"weakened": contracts made weaker on purpose, each found out by an end that was seen in a trial, or made from one, or waived;',
    '"changed steps": the solution with steps left out, doubled or altered, and whether that led to a wrong end or a right one.',
  ];
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
  // Where a task has fewer than were asked for, a higher number finds no more.
  const hasMore = good.some(({ judged: wrong, right, inconclusive }) => wrong + right.of + inconclusive >= asked);
  const more = hasMore ? `raise --perturbations above ${asked}, or add tasks` : 'add tasks on the same app';
  const tried = `${counted(judged, 'wrong end')} of tasks that qualify ${judged === 1 ? 'was' : 'were'} tried, and none passed`;
  const bound = `so few rule out no more than a rate of false passes above ${rateText(upper)} (95 %), which is no finding against a task`;
  return `${tried}; ${bound}. To try more: ${more}; to try an end that you fear: write a near-miss`;
}
