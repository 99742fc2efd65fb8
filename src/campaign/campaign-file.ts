import { z } from 'zod';
import type { BundleLayout } from '../bundle/layout.ts';
import { readPlainFile } from '../bundle/plain-file.ts';
import { writeFileAtomically } from '../bundle/atomic-file.ts';
import { CampaignError } from './error.ts';
import { Pins } from './pins.ts';
import { Plan, planHash } from './plan.ts';

/** `campaign.json`: the plan and the pins, written before the first episode. */
export const CampaignFile = z.strictObject({
  schema_version: z.literal(1),
  campaign_id: z.string(),
  created_at: z.iso.datetime(),
  plan_hash: z.string(),
  plan: Plan,
  pins: Pins,
  /** The suites as they were named on the command line: names of built-in ones, or folders. */
  suites: z.array(z.string()),
});
export type CampaignFile = z.infer<typeof CampaignFile>;

const MAX_BYTES = 64 * 1024 * 1024;

export async function writeCampaignFile(layout: BundleLayout, campaign: CampaignFile): Promise<void> {
  await writeFileAtomically(layout.campaign, `${JSON.stringify(campaign, null, 2)}\n`);
}

/** @throws CampaignError when the folder is no bundle, or its campaign.json is not what its own plan hash says. */
export async function readCampaignFile(layout: BundleLayout): Promise<CampaignFile> {
  let text: string;
  try {
    text = (await readPlainFile(layout.campaign, MAX_BYTES)).toString('utf8');
  } catch {
    throw notABundle(layout, 'has no readable campaign.json');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notABundle(layout, 'has a campaign.json that is not JSON');
  }
  const parsed = CampaignFile.safeParse(value);
  if (!parsed.success)
    throw notABundle(layout, `has a campaign.json that is not ours: ${z.prettifyError(parsed.error)}`);
  if (planHash(parsed.data.plan) !== parsed.data.plan_hash)
    throw notABundle(layout, 'has a plan that is not the one that was hashed');
  return parsed.data;
}

function notABundle({ root }: BundleLayout, problem: string): CampaignError {
  return new CampaignError('not_a_bundle', `${root} ${problem}`, 'name the folder that a "touchstone run" has left');
}
