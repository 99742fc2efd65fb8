import type { CampaignFile } from '../plan/campaign-file.ts';
import { faultFreeTasks, episodeCount, isWatched, type PlannedTask } from '../plan/plan.ts';
import { isPinnedThin, passingControls, waiversIn } from '../plan/task-qualification.ts';
import type { FactsByAxis } from '../claim/claims.ts';
import type { TaskFacts } from '../claim/claim-facts.ts';
import type { FiguredRow } from '../claim/figured-row.ts';
import { cellOf, those } from '../claim/group.ts';
import { whoReachedOthers } from '../claim/kept-apart.ts';
import { isFaultFree, faultyRows } from '../claim/faulty-rows.ts';
import { instanceName, taskName } from '../task/instance.ts';
import type { Proof } from '../contract/assertion-kind.ts';
import { type Contract, kindOf } from '../contract/schema.ts';

/**
 * The facts from which claims about a campaign follow, by axis.
 * @param verified whether its bundle verifies; null if not checked
 */
export function claimFacts(
  { plan, pins, parts }: Pick<CampaignFile, 'plan' | 'pins' | 'parts'>,
  rows: readonly FiguredRow[],
  verified: boolean | null,
): FactsByAxis {
  const faultFree = faultFreeTasks(plan);
  const faulty = plan.tasks.filter(({ fault }) => fault !== undefined);
  const signedIn = faultFree.filter(({ task }) => task.auth !== undefined);
  const tasks = new Map(faultFree.map((planned) => [cellOf(cellNames(planned)), taskFacts(planned, pins)]));
  const reaching = whoReachedOthers(rows);
  const merged = parts === undefined ? {} : { merged: { parts: parts.length, iterations: plan.iterations } };
  const factsOf = (planned: PlannedTask[], own: readonly FiguredRow[], idle: readonly FiguredRow[]) => ({
    rows: own,
    voided: idle,
    oneSided: [],
    reaching,
    tasks,
    plan: {
      entrants: plan.entrants,
      episodes_each: episodeCount({ ...plan, tasks: planned, entrants: [null] }),
      ...merged,
      ...(isWatched(plan) ? { watched: true } : {}),
    },
    pins: { bench_commit: pins.bench_commit, bench_dirty: pins.bench_dirty, models: pins.models },
    verified,
  });
  const behindLogin = new Set(signedIn.map((planned) => cellOf(cellNames(planned))));
  const { counted, voided } = faultyRows(rows);
  const faultFreeRows = those(rows, isFaultFree);
  return {
    task_completion: factsOf(faultFree, faultFreeRows, []),
    fault_recovery: faulty.length === 0 ? null : factsOf(faulty, counted, voided),
    authentication:
      signedIn.length === 0
        ? null
        : factsOf(
            signedIn,
            faultFreeRows.filter((row) => behindLogin.has(cellOf(row))),
            [],
          ),
  };
}

function cellNames({ suite, task }: PlannedTask): { suite: string; task: string; instance: string } {
  return { suite, task: task.id, instance: instanceName(task) };
}

function taskFacts(
  { suite, task, least_repetitions: least = 0 }: PlannedTask,
  { qualifications }: CampaignFile['pins'],
): TaskFacts {
  const name = `${suite}/${taskName(task)}`;
  const proof = Object.hasOwn(qualifications, name) ? qualifications[name] : undefined;
  return {
    rests_on_dom_alone: restsOnDomAlone(task.success),
    least_repetitions: least,
    trivial_by: proof === undefined ? [] : passingControls(proof),
    perturbed: { judged: proof?.perturbed.judged ?? 0, passed: proof?.perturbed.false_passes.length ?? 0 },
    is_thin: isPinnedThin(proof),
    waivers: proof === undefined ? [] : waiversIn(proof),
  };
}

/** The ways in which a contract can pass without proof from outside the page. */
interface Unproven {
  /** One relies on what a script can write into the page. */
  page: boolean;
  /** One relies on neither the page nor proof: the answer, or the absence of something. */
  neither: boolean;
}

/**
 * Whether a contract can pass by what a script wrote into the page, without proof from elsewhere that anything was done.
 *
 * - The page is its text, elements, address, dialogs and picture, asserted or denied.
 * - Proof is an assertion over app state, the world's log or the freshly loaded page, which a script can change only by doing the
 *   task. A denial (`not`) proves nothing, since the initial state meets it, too. Nor does `unchanged`, which does not state what
 *   changed, nor a log without an exchange, which holds at the start. But `absent`, and no element on the fresh page, are all that a
 *   task that deletes can assert, so they are proof; the task's qualification shows that they fail at the start.
 * - `answer` is neither. Painting the page makes no incorrect answer correct, so a task that asks only for an answer does not rest on the
 *   page; but the answer proves nothing about what the page shows.
 *
 * In `and`, one child with proof is enough; in `or`, each needs it, since the agent chooses. Guards hold if nothing was done, so
 * they do not decide.
 */
export function restsOnDomAlone(success: Contract): boolean {
  return unproven(success, true).page;
}

function unproven(contract: Contract, asserted: boolean): Unproven {
  const { kind } = contract;
  if (kind === 'not') return unproven(contract.child, !asserted);
  if (kind !== 'and' && kind !== 'or') return unprovenBy(kindOf(contract).proof(contract), asserted);
  const children = contract.children.map((child) => unproven(child, asserted));
  // One failing child denies "and".
  return (kind === 'and') === asserted ? together(children) : either(children);
}

function unprovenBy(proof: Proof, asserted: boolean): Unproven {
  if (proof === 'page') return { page: true, neither: false };
  return { page: false, neither: proof === 'nothing' || (proof === 'asserted') !== asserted };
}

function together(children: readonly Unproven[]): Unproven {
  const canBeUnproven = children.every(({ page, neither }) => page || neither);
  return {
    page: canBeUnproven && children.some(({ page }) => page),
    neither: children.every(({ neither }) => neither),
  };
}

function either(children: readonly Unproven[]): Unproven {
  return { page: children.some(({ page }) => page), neither: children.some(({ neither }) => neither) };
}
