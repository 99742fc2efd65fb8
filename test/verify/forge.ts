import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sealCampaign } from '../../src/bundle/campaign-seal.ts';
import { bundleLayout, type BundleLayout } from '../../src/bundle/layout.ts';
import { readLedger } from '../../src/bundle/ledger.ts';
import { GENESIS } from '../../src/bundle/ledger-record.ts';
import { finishRow, Row } from '../../src/bundle/row.ts';
import { eachSealedRow, sealRow } from '../../src/bundle/sealed-rows.ts';
import { canonicalJson, sha256Hex } from '../../src/contract/canonical.ts';
import { committedBundle } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** The bundle that is forged where none is named. */
export const TOOL_SERVERS = await committedBundle('tool-servers');

/** A bundle that somebody has forged with all care. */
export interface Forged {
  layout: BundleLayout;
  /** The attempt that was forged. */
  place: string;
}

/**
 * Edits the row and the events of the first attempt of a surface or task, and makes every hash anew, up to the seal and the reports.
 * With `runIdToo` the ledger says so, too.
 */
export async function forge(
  editRow: (row: Row) => Partial<Record<keyof Row, unknown>>,
  editEvents: (events: string) => string = (events) => events,
  { bundle = TOOL_SERVERS, runIdToo = false, ...of }: { bundle?: string; runIdToo?: boolean } & Partial<Row> = {
    surface: 'playwright-mcp',
  },
): Promise<Forged> {
  const layout = bundleLayout(path.join(await temporaryFolder(), 'bundle'));
  await cp(bundle, layout.root, { recursive: true });
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
  const sealed: { at: number; hash: string }[] = [];
  for await (const each of eachSealedRow(layout)) {
    if ('row' in each) sealed.push({ at: each.row.plan_index, hash: each.sealHash });
  }
  await sealCampaign(
    layout,
    sealed.toSorted((a, b) => a.at - b.at).map(({ hash }) => hash),
  );
  return { layout, place: `episodes/${first.episode_id}/${first.attempt}/row.json` };
}

/** A field that is edited to nothing is taken away. */
function withoutUndefined(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}
