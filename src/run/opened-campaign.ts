import { removeLeftovers } from '../bundle/atomic-file.ts';
import { bundleLayout } from '../bundle/layout.ts';
import { type CampaignFile, readCampaignFile, writeCampaignFile } from '../plan/campaign-file.ts';
import { fact } from '../messages/messages.ts';
import { CampaignError } from '../plan/error.ts';
import { causeOfChange, groundChanges, pinChanges } from '../plan/pin-changes.ts';
import type { Pins } from '../plan/pins.ts';
import { planHash } from '../plan/plan.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import type { Campaign } from './campaign.ts';
import { closeSuiteWorld, loadSuiteWorld } from './suite-world.ts';

/**
 * Writes `campaign.json`; on a resume, checks that the one in the folder is of the same plan, code, apps and browser.
 * @throws CampaignError `cannot_resume` or `cannot_rerun`, naming what has changed.
 */
export async function openCampaign(campaign: Campaign, pins: Pins): Promise<CampaignFile> {
  const { plan, suiteNames, entrants, folder, again, maxUsd, shard } = campaign;
  const layout = bundleLayout(folder);
  const hash = planHash(plan);
  if (campaign.resume === true) {
    await removeLeftovers(folder);
    const before = await readCampaignFile(layout);
    refuseChanges(before, hash, pins);
    return before;
  }
  if (again !== undefined) refuseOtherGround(again.pins, pins);
  const now = new Date().toISOString();
  const file: CampaignFile = {
    schema_version: 2,
    campaign_id: `${now.replaceAll(/[-:]|\.\d+/g, '')}-${hash.slice(0, 8)}`,
    created_at: now,
    plan_hash: hash,
    plan,
    pins,
    ...(typeof maxUsd === 'number' ? { max_usd: maxUsd } : {}),
    suites: [...suiteNames],
    entrant_files: { agents: [...entrants.files.agents], surfaces: [...entrants.files.surfaces] },
    ...(shard === undefined ? {} : { shard }),
  };
  await writeCampaignFile(layout, file);
  return file;
}

/** Rows carry the pins of campaign.json: what runs now must be what was pinned. */
function refuseChanges(campaign: CampaignFile, hash: string, pins: Pins): void {
  const changed = [...(campaign.plan_hash === hash ? [] : ['the plan']), ...pinChanges(campaign.pins, pins)];
  if (changed.length === 0) return;
  const cause = causeOfChange(campaign.pins, pins);
  throw new CampaignError(fact('cannot_resume', { changes: changed.join('; '), cause }));
}

/** The same outcome on another ground would prove nothing. */
function refuseOtherGround(before: Pins, now: Pins): void {
  const changed = groundChanges(before, now);
  if (changed.length === 0) return;
  throw new CampaignError(fact('cannot_rerun', { changes: changed.join('; ') }));
}

/**
 * A world reads its files while it is up, so rows are of the pinned files only if these have not changed.
 * @throws CampaignError `world_changed`
 */
export async function refuseOtherFiles(suite: LoadedSuite, pinned: string | undefined): Promise<void> {
  const world = await loadSuiteWorld(suite);
  closeSuiteWorld(world);
  if (world.appHash === pinned) return;
  throw new CampaignError(fact('world_changed', { suite: suite.id }));
}
