import type { CampaignFile } from '../plan/campaign-file.ts';
import type { PlannedTask } from '../plan/plan.ts';
import type { TaskQualification } from '../plan/task-qualification.ts';
import { canonicalJson } from '../contract/canonical.ts';
import { mutantsOf } from '../contract/mutants.ts';
import { type Semantics, semanticsOf } from '../contract/semantics.ts';
import { taskName } from '../task/instance.ts';
import { isProofOf } from '../task/schema.ts';
import { fileProblem, type BundleProblem } from './finding.ts';

/**
 * Proofs in campaign.json that are of another task than the plan has under that name. What a proof comes to is derived from its
 * own trials where it is read; that it is of these rows, their qualification_hash says.
 */
export function proofFindings({ plan, pins }: CampaignFile): BundleProblem[] {
  const planned = new Map(plan.tasks.map((each) => [`${each.suite}/${taskName(each.task)}`, each]));
  return Object.entries(pins.qualifications).flatMap(([name, proof]) => {
    const own = planned.get(name);
    if (own === undefined) return [fileProblem('campaign.json', `has a proof of ${name}, which is not planned`)];
    const others = [
      ...otherThan(own, proof).map((what) => `has ${what} than the plan`),
      ...(isJudgedAs(own, proof, pins.semantics) ? [] : ['is of other versions of assertions than the pins']),
    ];
    return others.map((what) => fileProblem('campaign.json', `the proof of ${name} ${what}`));
  });
}

/** A proof that leaves out what stands against its task, or has made up another, is of no task that is planned. */
function otherThan({ task, contract_hash: contractHash }: PlannedTask, proof: TaskQualification) {
  const mutants = mutantsOf(task).map(({ name }) => name);
  const misses = (task.nearMisses ?? []).map(({ why }) => why);
  const isOther = {
    'another task_hash': !isProofOf(proof.task_hash, task),
    'another contract_hash': proof.contract_hash !== contractHash,
    // Where the solution never passed, there was no right end to hold a mutant against, and the task does not qualify.
    'other mutants':
      !(proof.reference.passed === 0 && proof.mutants.length === 0) &&
      !isSame(
        proof.mutants.map(({ mutant }) => mutant),
        mutants,
      ),
    'other near-misses': !isSame(
      proof.near_misses.map(({ why }) => why),
      misses,
    ),
  };
  return Object.entries(isOther).flatMap(([what, is]) => (is ? [what] : []));
}

/** A proof counts for the kinds of assertions that its task has, at the versions at which the campaign judges. */
function isJudgedAs({ task }: PlannedTask, { semantics }: TaskQualification, pinned: Semantics): boolean {
  const now = Object.keys(semanticsOf(task)).map((kind) => [kind, pinned[kind] ?? null] as const);
  return canonicalJson(semantics ?? null) === canonicalJson(Object.fromEntries(now));
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}
