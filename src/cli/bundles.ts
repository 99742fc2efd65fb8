import { fact, messageFor } from '../messages/messages.ts';
import { existsSync, statSync } from 'node:fs';
import { type BundleLayout, bundleLayout } from '../bundle/layout.ts';
import { unpackBundle } from '../bundle/unpack.ts';
import { makeFolder, removeFolder } from '../process/own-folder.ts';
import { UsageError } from './exit-code.ts';
import { BundleError, isMissing } from '../bundle/errors.ts';
import type { Row } from '../bundle/row.ts';
import { readSigner } from '../bundle/signature.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { derivedFindings } from '../verify/derived-files.ts';
import type { BundleProblem } from '../verify/finding.ts';
import { RowsFile } from '../verify/rows-file.ts';
import { type TakeRow, verifyRecords } from '../verify/verify.ts';
import { CountedRows } from '../report/counted-rows.ts';
import { drawReport, reportFiles } from './drawn-files.ts';
import { faultFreeTasks, episodeCount } from '../plan/plan.ts';
import { isFaultFree } from '../claim/faulty-rows.ts';
import { type PooledBundle, pooled, sharedEpisode } from '../claim/pooled.ts';
import type { TablesReport } from '../report/tables-report.ts';
import { nameOfInstance } from '../task/instance.ts';

/** A bundle to read: a folder, or the temporary folder of a packed one, which disposal removes. */
export interface OpenedBundle extends Disposable {
  layout: BundleLayout;
}

/**
 * Opens a bundle for a command that only reads it.
 * @throws BundleError when it cannot be unpacked; the content of a folder is not checked
 */
export async function openBundle(place: string): Promise<OpenedBundle> {
  if (!isPacked(place)) return { layout: bundleLayout(place), [Symbol.dispose]() {} };
  const folder = makeFolder('bundle');
  try {
    await unpackBundle(place, folder);
  } catch (error) {
    removeFolder(folder);
    throw error;
  }
  return {
    layout: bundleLayout(folder, place),
    [Symbol.dispose]() {
      removeFolder(folder);
    },
  };
}

/** Returns a bundle that a command writes into. @throws UsageError when it is packed. */
export async function bundleToWrite(place: string): Promise<BundleLayout> {
  if (!isPacked(place)) return bundleLayout(place);
  throw new UsageError(fact('bundle_is_packed', { bundle: place }));
}

/** Not one that is missing, which its reader reports. */
function isPacked(place: string): boolean {
  return existsSync(place) && statSync(place).isFile();
}

/** The content of a bundle, and whether it is complete. */
export interface VerifiedBundle {
  campaign: CampaignFile;
  /** Counted rows in plan order. */
  rows: Row[];
  complete: boolean;
}

/**
 * Reads a bundle for figures, and verifies its records and reports first. It may be unfinished.
 * @throws UsageError naming the first broken record or report
 */
export async function verifiedBundle(layout: BundleLayout): Promise<VerifiedBundle> {
  const rows: Row[] = [];
  const { campaign, findings } = await verifiedFiles(layout, (row) => {
    rows.push(row);
  });
  const held = refuseBroken(layout, campaign, findings);
  await refuseWrongSignature(layout);
  return { ...held, rows };
}

/** Does the same for a bundle that may be packed. */
export async function readBundle(place: string): Promise<VerifiedBundle> {
  using opened = await openBundle(place);
  return await verifiedBundle(opened.layout);
}

/** All findings about a bundle, and its pages that another version drew. */
export interface VerifiedFiles {
  campaign: CampaignFile | null;
  findings: BundleProblem[];
  notCompared: string[];
}

/** Verifies the records, `rows.jsonl` and `report.json`, and the pages that this version drew. */
export async function verifiedFiles(layout: BundleLayout, take: TakeRow): Promise<VerifiedFiles> {
  const counted = new CountedRows();
  const { campaign, findings, rows } = await verifiedWithRows(layout, async (row) => {
    counted.take(row);
    await take(row);
  });
  if (campaign === null) return { campaign, findings, notCompared: [] };
  const files = reportFiles(drawReport(campaign, counted, findings.length === 0), layout);
  const derived = await derivedFindings(layout, files);
  return {
    campaign,
    findings: [...findings, ...(rows === null ? [] : [rows]), ...derived.findings],
    notCompared: derived.notCompared,
  };
}

/** Verifies the records and `rows.jsonl`. */
export async function verifiedWithRows(
  layout: BundleLayout,
  take: TakeRow,
): Promise<{ campaign: CampaignFile | null; findings: BundleProblem[]; rows: BundleProblem | null }> {
  const rowsFile = new RowsFile(layout);
  const read = await verifiedRecords(layout, async (row) => {
    await take(row);
    await rowsFile.take(row);
  });
  return { ...read, rows: await rowsFile.end() };
}

/**
 * Verifies the records alone and passes on each counted row, since those of a large bundle may not fit into memory.
 * @throws UsageError naming the first broken record
 */
export async function verifiedRows(layout: BundleLayout, take: TakeRow): Promise<Omit<VerifiedBundle, 'rows'>> {
  const { campaign, findings } = await verifiedRecords(layout, take);
  const held = refuseBroken(layout, campaign, findings);
  await refuseWrongSignature(layout);
  return held;
}

export function findingLine({ file, problem }: BundleProblem): string {
  return `${file}: ${messageFor(problem)}`;
}

function refuseBroken(
  { name }: BundleLayout,
  campaign: CampaignFile | null,
  findings: readonly BundleProblem[],
): Omit<VerifiedBundle, 'rows'> {
  const off = findings.find(({ kind }) => kind === 'broken');
  if (off === undefined && campaign !== null) return { campaign, complete: findings.length === 0 };
  const problem = off === undefined ? 'it cannot be read' : findingLine(off);
  const reports = off?.file.startsWith('report.') === true;
  throw new UsageError(fact('bundle_does_not_verify', { bundle: name, problem, reports }));
}

/** A signature may be missing, but not wrong. */
async function refuseWrongSignature(layout: BundleLayout): Promise<void> {
  try {
    await readSigner(layout);
  } catch (error) {
    if (isMissing(error)) return;
    if (!(error instanceof BundleError)) throw error;
    throw new UsageError(fact('signature_does_not_verify', { bundle: layout.name, problem: error.message }));
  }
}

/** Reads a bundle and the findings about its records; the campaign is null if it cannot be read. */
async function verifiedRecords(
  layout: BundleLayout,
  take: TakeRow,
): Promise<{ campaign: CampaignFile | null; findings: BundleProblem[] }> {
  const findings: BundleProblem[] = [];
  const verifying = verifyRecords(layout, take);
  for (;;) {
    const step = await verifying.next();
    if (step.done === true) return { campaign: step.value, findings };
    findings.push(step.value);
  }
}

/**
 * Draws the tables of seed 000 over these bundles, without episodes with faults.
 * @param since leaves out episodes that began earlier, or never; null for none
 * @throws UsageError naming a bundle that does not verify, or an episode in two of them
 */
export async function tablesOf(bundles: readonly string[], since: string | null): Promise<TablesReport> {
  const read: (PooledBundle & { complete: boolean })[] = [];
  for (const name of bundles) {
    const { campaign, rows, complete } = await readBundle(name);
    const { campaign_id, plan, shard } = campaign;
    const chosen = rows.filter((row) => isFaultFree(row) && (since === null || beganSince(row, since)));
    const planned = episodeCount({ ...plan, tasks: faultFreeTasks(plan) });
    read.push({
      name,
      campaign_id,
      planned,
      entrants: plan.entrants,
      rows: chosen,
      complete: complete && shard === undefined,
    });
  }
  refuseSharedEpisode(read);
  return {
    schema_version: 1,
    since,
    bundles: read.map(({ name, campaign_id, planned, rows, complete }) => ({
      name,
      campaign_id,
      planned,
      episodes: rows.length,
      complete,
      modes: [...new Set(rows.map(({ mode }) => mode))],
      world_kinds: [...new Set(rows.map((row) => row.world_kind))],
    })),
    ...pooled(read),
  };
}

function beganSince({ started_at: started }: Row, since: string): boolean {
  return started !== null && Date.parse(started) >= Date.parse(since);
}

function refuseSharedEpisode(bundles: readonly PooledBundle[]): void {
  const shared = sharedEpisode(bundles);
  if (shared === null) return;
  const { row, first, second } = shared;
  const what = `${nameOfInstance(row.task, row.instance)} #${row.iteration + 1} by ${row.agent} through ${row.surface}`;
  throw new UsageError(fact('shared_episode', { episode: row.episode_id, what, first, second }));
}
