import type { CampaignFile } from '../campaign/campaign-file.ts';
import { taskName } from '../task/instance.ts';
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
    const other = (['task_hash', 'contract_hash'] as const).filter((field) => proof[field] !== own[field]);
    return other.map((field) => broken('campaign.json', `the proof of ${name} has another ${field} than the plan`));
  });
}
