import type { CampaignFile } from '../plan/campaign-file.ts';
import { faultFreeTasks, episodeCount, type PlannedTask } from '../plan/plan.ts';
import { passingControls, waiversIn } from '../plan/task-qualification.ts';
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
 * The facts that claims about a campaign follow from, by axis: recovery is another figure than success.
 * `verified`: whether its bundle holds; null when nobody has looked.
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
    waivers: proof === undefined ? [] : waiversIn(proof),
  };
}

/** The ways in which a contract can pass that prove nothing apart from the page. */
interface Unproven {
  /** One of them takes what a script can write into the page. */
  page: boolean;
  /** One of them takes neither the page nor proof: what the agent said, or that something is not there. */
  neither: boolean;
}

/**
 * Whether a contract can pass by what a script wrote into the page, with no proof from elsewhere that anything was done.
 *
 * - The page is its text, elements, address, dialogs and picture, asserted or denied.
 * - Proof is an assertion over app state, the world's log or the page loaded anew: a script can reach those only by doing
 *   what they tell of. What is denied (`not`) is no proof, for anything else will do, also what was there to begin with.
 *   Nor is `unchanged`, asserted or denied: it says that something changed and not what. That no exchange was logged holds
 *   at every start. But `absent`, and no element on the page loaded anew, are all that a task that deletes can assert, so
 *   they are proof; that they do not hold anyway is for the task's proof of qualification to show.
 * - `answer` is neither. To paint the page makes no wrong answer right, so a task that asks for nothing else does not rest
 *   on the page; but the right answer says nothing of what the page beside it shows, so it is no proof of that.
 *
 * In `and`, one child with proof is enough; in `or`, each has to have it, for the agent chooses. Guards hold where nothing
 * was done, so they do not decide.
 */
export function restsOnDomAlone(success: Contract): boolean {
  return unproven(success, true).page;
}

function unproven(contract: Contract, asserted: boolean): Unproven {
  const { kind } = contract;
  if (kind === 'not') return unproven(contract.child, !asserted);
  if (kind !== 'and' && kind !== 'or') return unprovenBy(kindOf(contract).proof(contract), asserted);
  const children = contract.children.map((child) => unproven(child, asserted));
  // One child that does not hold denies "and".
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
