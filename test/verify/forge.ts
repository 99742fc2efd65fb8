import { readFile, writeFile } from 'node:fs/promises';
import { sealCampaign } from '../../src/bundle/campaign-seal.ts';
import type { BundleLayout } from '../../src/bundle/layout.ts';
import { readLedger } from '../../src/bundle/ledger.ts';
import { GENESIS } from '../../src/bundle/ledger-record.ts';
import { finishRow, Row } from '../../src/bundle/row.ts';
import { sealedRowOrProblem, sealRow } from '../../src/bundle/sealed-rows.ts';
import { canonicalJson, sha256Hex } from '../../src/contract/canonical.ts';
import type { CampaignFile } from '../../src/plan/campaign-file.ts';
import type { BundleProblem } from '../../src/verify/finding.ts';
import { verifyRecords } from '../../src/verify/verify.ts';
import { touchstone } from '../cli/touchstone.ts';
import { committedBundle, copyOf } from '../committed-bundle.ts';

export const TOOL_SERVERS = await committedBundle('tool-servers');

export interface Forged {
  layout: BundleLayout;
  place: string;
}

export interface Forgery {
  row?: (row: Row) => Partial<Record<keyof Row, unknown>>;
  events?: (events: string) => string;
  bundle?: string;
  /** The row whose first attempt is forged; by default one through `playwright-mcp`. */
  of?: Partial<Row>;
  /** The ledger gets the run id of the edited row, too. */
  runIdToo?: boolean;
}

/** Forges an attempt of a copy with all care: every hash is made again, up to the seal. */
export async function forge({
  row: editRow = () => ({}),
  events: editEvents = (events) => events,
  bundle = TOOL_SERVERS,
  of = { surface: 'playwright-mcp' },
  runIdToo = false,
}: Forgery): Promise<Forged> {
  const layout = await copyOf(bundle);
  const { records } = await readLedger(layout.ledger);
  const rows = (await readFile(layout.rows, 'utf8')).trim().split('\n');
  const wanted = rows
    .map((line) => JSON.parse(line))
    .find((each) => Object.entries(of).every(([field, value]) => each[field] === value));
  const first = records.find(
    (record) => record.kind === 'sealed' && record.episode_id === wanted.episode_id && record.attempt === 1,
  );
  if (first?.kind !== 'sealed') throw new Error('nothing is sealed');
  const attempt = layout.attempt(first.episode_id, first.attempt);
  const row = Row.parse(JSON.parse(await readFile(attempt.row, 'utf8')));
  await writeFile(attempt.events, editEvents(await readFile(attempt.events, 'utf8')));
  const edited = Row.parse(withoutUndefined({ ...row, ...editRow(row) }));
  const seal = await sealRow(attempt, finishRow(edited));
  let prev = GENESIS;
  const lines = records.map((record) => {
    const isStart = record.kind === 'started' && record.episode_id === first.episode_id && record.attempt === 1;
    const other = record === first ? { seal_hash: seal } : isStart && runIdToo ? { run_id: edited.run_id } : {};
    const line = canonicalJson({ ...record, prev, ...other });
    prev = sha256Hex(line);
    return `${line}\n`;
  });
  await writeFile(layout.ledger, lines.join(''));
  await reseal(layout);
  return { layout, place: `episodes/${first.episode_id}/${first.attempt}/row.json` };
}

/** Seals the campaign over the rows that are there. */
export async function reseal(layout: BundleLayout): Promise<void> {
  const sealed: { at: number; hash: string }[] = [];
  for (const record of (await readLedger(layout.ledger)).records) {
    if (record.kind !== 'sealed') continue;
    const each = await sealedRowOrProblem(record, layout);
    if ('row' in each) sealed.push({ at: each.row.plan_index, hash: each.sealHash });
  }
  const hashes = sealed.toSorted((a, b) => a.at - b.at).map(({ hash }) => hash);
  await sealCampaign(layout, hashes);
}

export async function forgeCampaign(layout: BundleLayout, edit: (campaign: CampaignFile) => void): Promise<void> {
  const campaign: CampaignFile = JSON.parse(await readFile(layout.campaign, 'utf8'));
  edit(campaign);
  await writeFile(layout.campaign, `${JSON.stringify(campaign, null, 2)}\n`);
  await reseal(layout);
}

/** Returns `file: problem` for each finding of `verify`. */
export async function findingsOf({ root }: BundleLayout): Promise<string[]> {
  const { exit, out } = await touchstone('verify', root, '--json');
  const { findings } = JSON.parse(out);
  if (exit !== (findings.length === 0 ? 0 : 1)) throw new Error(`verify ended with ${exit}: ${out}`);
  return findings.map(({ file, problem }: { file: string; problem: string }) => `${file}: ${problem}`);
}

/** Returns the faults of the records, without checking the reports drawn from them. */
export async function recordProblems(layout: BundleLayout): Promise<BundleProblem[]> {
  const problems: BundleProblem[] = [];
  for await (const problem of verifyRecords(layout, () => {})) problems.push(problem);
  return problems;
}

/** A field that is edited to nothing is taken away. */
function withoutUndefined(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}
