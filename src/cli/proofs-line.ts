import type { Pins } from '../plan/pins.ts';
import { shellWord } from '../report/shell-word.ts';

/** A task as its proof is kept by. */
export interface ProvenTask {
  suite: string;
  task: string;
}

/** No more tasks than these are named of each kind; the report names all. */
const NAMED = 3;

/**
 * Says how many tasks are proved to qualify, and what to do about the others: without a proof nothing counts.
 * @param suiteNames as `touchstone qualify` takes them.
 */
export function proofsLine(
  tasks: readonly ProvenTask[],
  proofs: Pins['qualifications'],
  suiteNames: readonly string[],
): string {
  const isOneSuite = new Set(tasks.map(({ suite }) => suite)).size === 1;
  const found = tasks.map(({ suite, task }) => {
    const name = `${suite}/${task}`;
    return { shown: isOneSuite ? task : name, proof: Object.hasOwn(proofs, name) ? proofs[name] : undefined };
  });
  const good = found.filter(({ proof }) => proof?.verdict === 'qualified').length;
  const failed = found.flatMap(({ shown, proof }) =>
    proof === undefined || proof.verdict === 'qualified' ? [] : [`${shown} (${proof.reasons[0] ?? proof.verdict})`],
  );
  const unproven = found.flatMap(({ shown, proof }) => (proof === undefined ? [shown] : []));
  return [
    qualifyingOf(good, tasks.length),
    ...(failed.length === 0 ? [] : [`not ${named(failed)}`]),
    ...(unproven.length === 0
      ? []
      : [`no current proof of ${named(unproven)}: touchstone qualify ${suiteNames.map(shellWord).join(' ')}`]),
  ].join('; ');
}

/** Says in words how many tasks qualify. */
export function qualifyingOf(good: number, all: number): string {
  return `${good} of ${all} task${all === 1 ? ' qualifies' : 's qualify'}`;
}

function named(all: readonly string[]): string {
  const rest = all.length - NAMED;
  return rest > 0 ? `${all.slice(0, NAMED).join(', ')} and ${rest} more` : all.join(', ');
}
