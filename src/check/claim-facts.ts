import type { Row } from '../bundle/row.ts';
import type { CampaignFile } from '../campaign/campaign-file.ts';
import { episodeCount } from '../campaign/plan.ts';
import type { ClaimFacts } from '../claim/eligibility.ts';

/** What claims about a campaign follow from. `verified`: whether its bundle holds; null when nobody has looked. */
export function claimFacts({ plan, pins }: CampaignFile, rows: readonly Row[], verified: boolean | null): ClaimFacts {
  return {
    rows,
    plan: { entrants: plan.entrants, episodes_each: episodeCount({ ...plan, entrants: [null] }) },
    pins: { bench_commit: pins.bench_commit, bench_dirty: pins.bench_dirty, models: pins.models },
    verified,
  };
}
