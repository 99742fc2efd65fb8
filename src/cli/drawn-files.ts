import path from 'node:path';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { openBlobs } from '../bundle/blobs.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import { AGENTS } from '../agent/built-in.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { episodeCountIn } from '../plan/part-of-plan.ts';
import { episodeCount } from '../plan/plan.ts';
import { packageVersion } from '../plan/package-root.ts';
import { claimFacts } from '../verify/claim-facts.ts';
import type { DerivedFile } from '../verify/derived-files.ts';
import { drawClaims } from '../claim/claims.ts';
import type { CountedRows } from '../report/counted-rows.ts';
import { picturesIn } from '../report/html/failure-gallery.ts';
import { reportPage } from '../report/html/page.ts';
import { markdownReport } from '../report/markdown.ts';
import { lastCallsIn } from '../viewer/standing.ts';
import { stateChanges } from '../viewer/state-changes.ts';
import { goalsOf } from '../report/goals.ts';
import { buildReport, type Report, type ReportedAgent } from '../report/report.ts';
import { fact } from '../messages/messages.ts';
import { mkdir } from 'node:fs/promises';
import { writeFileAtomically } from '../bundle/atomic-file.ts';
import { systemCode } from '../bundle/errors.ts';
import { whyNotWritten } from '../run/new-folder.ts';
import { UsageError } from './exit-code.ts';

/** Draws the report of a campaign. @param verified whether the records of its bundle hold; null if they were not checked */
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

/** Draws `report.json`, `report.md` and `report.html`, which holds pictures of failures. */
export function reportFiles(report: Report, layout: BundleLayout): DerivedFile[] {
  const mark = `<!-- drawn by Touchstone ${packageVersion()}+${drawingDigest()} -->`;
  return [
    { name: 'report.json', text: () => `${JSON.stringify(report, null, 2)}\n`, mark: null },
    { name: 'report.md', text: () => `${mark}\n${markdownReport(report)}`, mark },
    {
      name: 'report.html',
      text: async () => {
        const pictures = await picturesIn(report, openBlobs(layout.blobs));
        const lastCalls = await lastCallsIn(report, layout);
        const page = reportPage(report, pictures, { lastCalls, changes: await stateChanges(report, layout) });
        return page.replace('<html', `${mark}\n<html`);
      },
      mark,
    },
  ];
}

/** Code, messages, styles and scripts of a page; a build leaves styles and scripts in place. */
const DRAWING = ['report', 'claim', 'messages', '../src/report/pages'].map((name) =>
  path.join(import.meta.dirname, '..', name),
);
let digest: string | null = null;

/** Returns a digest of everything that draws a page: two programs with the same digest draw the same. */
function drawingDigest(): string {
  if (digest === null) {
    const files = DRAWING.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
    ).filter((file) => /\.(?:[jt]s|css)$/.test(file));
    const hash = createHash('sha256');
    for (const file of files.toSorted()) hash.update(readFileSync(file));
    digest = hash.digest('hex').slice(0, 12);
  }
  return digest;
}

/**
 * Writes a file, and makes its folders.
 * @throws UsageError when it cannot be written
 */
export async function writeNamedFile(file: string, text: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFileAtomically(file, text);
  } catch (error) {
    const why = systemCode(error) === 'EISDIR' ? 'a folder is in its place' : whyNotWritten(error);
    if (why === null) throw error;
    throw new UsageError(fact('not_writable', { place: file, why }));
  }
}
