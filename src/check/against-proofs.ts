import type { CampaignFile } from '../campaign/campaign-file.ts';
import type { PlannedTask } from '../campaign/plan.ts';
import type { TaskQualification } from '../campaign/task-qualification.ts';
import { taskName } from '../task/instance.ts';
import { mutantsOf } from './qualify/mutants.ts';
import { broken, type Finding } from './finding.ts';

/**
 * Proofs in campaign.json that are of another task than the plan has under that name. What a proof comes to is derived from its
 * own trials where it is read; that it is of these rows, their qualification_hash says.
 */
export function proofFindings({ plan, pins }: CampaignFile): Finding[] {
  const planned = new Map(plan.tasks.map((each) => [`${each.suite}/${taskName(each.task)}`, each]));
  return Object.entries(pins.qualifications).flatMap(([name, proof]) => {
    const own = planned.get(name);
    if (own === undefined) return [broken('campaign.json', `has a proof of ${name}, which is not planned`)];
    return otherThan(own, proof).map((what) =>
      broken('campaign.json', `the proof of ${name} has ${what} than the plan`),
    );
  });
}

/** A proof that leaves out what stands against its task, or has made up another, is of no task that is planned. */
function otherThan({ task, task_hash: taskHash, contract_hash: contractHash }: PlannedTask, proof: TaskQualification) {
  const mutants = mutantsOf(task).map(({ name }) => name);
  const misses = (task.nearMisses ?? []).map(({ why }) => why);
  const isOther = {
    'another task_hash': proof.task_hash !== taskHash,
    'another contract_hash': proof.contract_hash !== contractHash,
    'other mutants': !isSame(
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

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}
