import type { CampaignFile } from '../plan/campaign-file.ts';
import { broken, type Finding } from './finding.ts';

/** Tasks that are said to have run on the live web, where the plan lets no live web answer. The mode follows from it. */
export function worldFindings({ plan, pins }: CampaignFile): Finding[] {
  if (plan.live) return [];
  const named = Object.entries(pins.world_kinds).flatMap(([name, kind]) => (kind === 'live_web' ? [name] : []));
  return named.map((name) => broken('campaign.json', `world_kinds says live_web of ${name}, and the plan is not live`));
}
