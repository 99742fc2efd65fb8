import type { Pins } from '../plan/pins.ts';
import type { StaleProofs } from '../plan/stale-proofs.ts';
import { reasonsToShow } from './qualify-words.ts';
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
 * @param stale to tell them from tasks that were never proved: to whoever proved them, that would look as if it were lost.
 */
export function proofsLine(
  tasks: readonly ProvenTask[],
  proofs: Pins['qualifications'],
  suiteNames: readonly string[],
  stale: StaleProofs,
): string {
  const isOneSuite = new Set(tasks.map(({ suite }) => suite)).size === 1;
  const found = tasks.map(({ suite, task }) => {
    const name = `${suite}/${task}`;
    const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined;
    return { shown: isOneSuite ? task : name, proof, changed: stale.get(name) };
  });
  const good = found.filter(({ proof }) => proof?.verdict === 'qualified').length;
  const failed = found.flatMap(({ shown, proof }) =>
    proof === undefined || proof.verdict === 'qualified'
      ? []
      : [`${shown} (${reasonsToShow(proof)[0] ?? proof.verdict})`],
  );
  const unproven = found.filter(({ proof }) => proof === undefined);
  const never = unproven.flatMap(({ shown, changed }) => (changed === undefined ? [shown] : []));
  const command = unproven.length === 0 ? '' : `: touchstone qualify ${suiteNames.map(shellWord).join(' ')}`;
  const parts = [
    qualifyingOf(good, tasks.length),
    ...(failed.length === 0 ? [] : [`not ${named(failed)}`]),
    ...staleParts(unproven),
    ...(never.length === 0 ? [] : [`no proof yet of ${named(never)}`]),
  ];
  return `${parts.join('; ')}${command}`;
}

/** Tasks that are stale for one reason are told together: a changed app concerns them all. */
function staleParts(unproven: readonly { shown: string; changed: readonly string[] | undefined }[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { shown, changed } of unproven) {
    if (changed === undefined) continue;
    const reason = changed.join(', ');
    byReason.set(reason, [...(byReason.get(reason) ?? []), shown]);
  }
  return [...byReason].map(([reason, all]) => `stale proof of ${named(all)}, since which was changed: ${reason}`);
}

/** Says in words how many tasks qualify. */
export function qualifyingOf(good: number, all: number): string {
  return `${good} of ${all} task${all === 1 ? ' qualifies' : 's qualify'}`;
}

function named(all: readonly string[]): string {
  const rest = all.length - NAMED;
  return rest > 0 ? `${all.slice(0, NAMED).join(', ')} and ${rest} more` : all.join(', ');
}
