import type { CampaignFile } from '../plan/campaign-file.ts';
import { episodeCount } from '../plan/plan.ts';
import { claimFacts } from '../verify/claim-facts.ts';
import type { DerivedFile } from '../verify/derived-files.ts';
import { drawClaims } from '../claim/claims.ts';
import type { CountedRows } from '../report/counted-rows.ts';
import { reportPage } from '../report/html/page.ts';
import { markdownReport } from '../report/markdown.ts';
import { buildReport, type Report } from '../report/report.ts';

/** What a campaign came to. `verified`: whether the records of its bundle hold; null when nobody has looked. */
export function drawReport(campaign: CampaignFile, counted: CountedRows, verified: boolean | null): Report {
  const { campaign_id: id, plan } = campaign;
  const claims = drawClaims(claimFacts(campaign, counted.figured, verified), plan.seed);
  return buildReport(id, episodeCount(plan), counted, plan.entrants, claims);
}

/** `report.json`, `report.md` and `report.html`. */
export function reportFiles(report: Report): DerivedFile[] {
  return [
    { name: 'report.json', text: `${JSON.stringify(report, null, 2)}\n` },
    { name: 'report.md', text: markdownReport(report) },
    { name: 'report.html', text: reportPage(report) },
  ];
}
