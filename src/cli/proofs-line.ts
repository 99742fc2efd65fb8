import type { Pins } from '../plan/pins.ts';
import { isPinnedThin } from '../plan/task-qualification.ts';
import { shellWord } from '../report/shell-word.ts';
import { someOf, type StaleProofs } from '../run/stale-proofs.ts';
import { reasonsToShow } from './qualify-words.ts';
import { suiteToType } from './suites.ts';
import { counted } from '../report/numbers.ts';

/** The names by which proofs are kept. */
export interface ProvenTask {
  suite: string;
  task: string;
}

/**
 * Counts the tasks that are proved to qualify, and states what to do about the others. The first of each kind are named; the
 * report names all.
 * @param suiteNames as `touchstone qualify` takes them
 * @param stale tasks that were proved before a change
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
  const thin = found.flatMap(({ shown, proof }) => (isPinnedThin(proof) ? [shown] : []));
  const unproven = found.filter(({ proof }) => proof === undefined);
  const never = unproven.flatMap(({ shown, changed }) => (changed === undefined ? [shown] : []));
  const command =
    unproven.length === 0 ? '' : `: touchstone qualify ${suiteNames.map(suiteToType).map(shellWord).join(' ')}`;
  const parts = [
    qualifyingOf(good, tasks.length),
    ...(thin.length === 0 ? [] : [`thin: ${someOf(thin)}`]),
    ...(failed.length === 0 ? [] : [`not ${someOf(failed)}`]),
    ...staleParts(unproven),
    ...(never.length === 0 ? [] : [`no proof yet of ${someOf(never)}`]),
  ];
  return `${parts.join('; ')}${command}`;
}

/** Groups stale proofs by their reason, since a changed app concerns all tasks. */
function staleParts(unproven: readonly { shown: string; changed: readonly string[] | undefined }[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { shown, changed } of unproven) {
    if (changed === undefined) continue;
    const reason = inWords(changed);
    byReason.set(reason, [...(byReason.get(reason) ?? []), shown]);
  }
  return [...byReason].map(([reason, all]) => `stale proof of ${someOf(all)}, because of a change to ${reason}`);
}

function inWords(all: readonly string[]): string {
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}

export function qualifyingOf(good: number, all: number): string {
  return `${good} of ${counted(all, 'task qualifies', 'tasks qualify')}`;
}
