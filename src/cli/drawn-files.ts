import { openBlobs } from '../bundle/blobs.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import { AGENTS } from '../agent/built-in.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { episodeCountIn } from '../plan/part-of-plan.ts';
import { episodeCount } from '../plan/plan.ts';
import { claimFacts } from '../verify/claim-facts.ts';
import type { DerivedFile } from '../verify/derived-files.ts';
import { drawClaims } from '../claim/claims.ts';
import type { CountedRows } from '../report/counted-rows.ts';
import { picturesIn } from '../report/html/failure-pictures.ts';
import { reportPage } from '../report/html/page.ts';
import { markdownReport } from '../report/markdown.ts';
import { lastCallsIn } from '../viewer/last-calls.ts';
import { goalsOf } from '../report/goals.ts';
import { buildReport, type Report, type ReportedAgent } from '../report/report.ts';

/** Draws the report of a campaign. `verified`: whether the records of its bundle hold; null when nobody has looked. */
export function drawReport(campaign: CampaignFile, counted: CountedRows, verified: boolean | null): Report {
  const { campaign_id, created_at, plan } = campaign;
  const claims = drawClaims(claimFacts(campaign, counted.figured, verified), plan.seed);
  const facts = {
    campaign_id,
    created_at,
    suites: [...new Set(plan.tasks.map(({ suite }) => suite))],
    seed: plan.seed,
    goals: goalsOf(plan.tasks),
    agents: agentsOf(campaign),
    planned: episodeCount(plan),
    plannedEntrants: plan.entrants,
  };
  return { ...buildReport(facts, counted, claims), ...partsIn(campaign) };
}

/** Returns which part of a plan a bundle has, or how many it was merged from. */
function partsIn(campaign: CampaignFile): Pick<Report, 'shard' | 'merged_parts'> {
  const { shard, parts } = campaign;
  if (parts !== undefined) return { merged_parts: parts.length };
  return shard === undefined ? {} : { shard: { ...shard, planned: episodeCountIn(campaign) } };
}

function agentsOf({ plan, pins: { deciders } }: CampaignFile): ReportedAgent[] {
  return [...new Set(plan.entrants.map(({ agent }) => agent))].map((agent) => {
    const about = AGENTS.find(({ id }) => id === agent)?.about;
    const decider = Object.hasOwn(deciders, agent) ? deciders[agent] : undefined;
    return { agent, ...(decider === undefined ? {} : { decider }), ...(about === undefined ? {} : { about }) };
  });
}

/** `report.json`, `report.md` and `report.html`, which holds pictures of failures out of the blobs of the bundle. */
export async function reportFiles(report: Report, layout: BundleLayout): Promise<DerivedFile[]> {
  const pictures = await picturesIn(report, openBlobs(layout.blobs));
  return [
    { name: 'report.json', text: `${JSON.stringify(report, null, 2)}\n` },
    { name: 'report.md', text: markdownReport(report) },
    { name: 'report.html', text: reportPage(report, pictures, await lastCallsIn(report, layout)) },
  ];
}
