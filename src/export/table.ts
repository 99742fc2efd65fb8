import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parquetWriteFile } from 'hyparquet-writer';
import type { Row } from '../bundle/row.ts';
import { countOf, distinct, groupBy } from '../claim/group.ts';
import { episodeCountIn } from '../plan/part-of-plan.ts';
import { type TableColumn, COLUMNS } from './columns.ts';
import { type ExportedBundle, type ExportFormat, goalIn, passedOf } from './exported-bundle.ts';

/** One object a line, with the columns in their order. */
export const JSONL: ExportFormat = {
  async write(bundle, folder) {
    const file = createWriteStream(path.join(folder, 'episodes.jsonl'), { flags: 'wx' });
    await pipeline(Readable.from(linesOf(bundle)), file);
    return ['episodes.jsonl', await writeCard(bundle, folder, 'episodes.jsonl')];
  },
};

function* linesOf({ campaign, rows }: ExportedBundle): Generator<string> {
  const goal = goalIn(campaign);
  for (const row of rows) {
    yield `${JSON.stringify(Object.fromEntries(COLUMNS.map(({ name, of }) => [name, of(row, goal(row))])))}\n`;
  }
}

export const PARQUET: ExportFormat = {
  async write(bundle, folder) {
    const { campaign, rows, source } = bundle;
    const goal = goalIn(campaign);
    parquetWriteFile({
      filename: path.join(folder, 'episodes.parquet'),
      columnData: COLUMNS.map(({ name, type, of }) => ({
        name,
        type,
        data: rows.map((row) => typed(of(row, goal(row)), type)),
      })),
      kvMetadata: Object.entries(source).map(([key, value]) => ({ key: `touchstone.${key}`, value: value ?? '' })),
    });
    return ['episodes.parquet', await writeCard(bundle, folder, 'episodes.parquet')];
  },
};

function typed(value: unknown, type: TableColumn['type']): unknown {
  if (typeof value === 'number' && type === 'INT64') return BigInt(value);
  return typeof value === 'string' && type === 'TIMESTAMP' ? new Date(value) : value;
}

async function writeCard(bundle: ExportedBundle, folder: string, file: string): Promise<string> {
  await writeFile(path.join(folder, 'README.md'), datasetCard(bundle, file), { flag: 'wx' });
  return 'README.md';
}

/** The card of the data set, whose head Hugging Face reads. It holds no text of pages and agents. */
function datasetCard({ campaign, rows, source }: ExportedBundle, file: string): string {
  const count = (passed: boolean | null) => countOf(rows, (row) => passedOf(row) === passed);
  const suites = [...distinct(campaign.plan.tasks, ({ suite }) => suite)].join(', ');
  return `---
license: unknown
configs:
  - config_name: default
    data_files: ${file}
---

# Episodes of ${source.campaign_id}

Web agents at work on ${suites}, one row per episode, exported by Touchstone ${source.touchstone} from a bundle that verified.

| | |
|---|---|
| seal (SHA-256 of seal.json) | ${source.seal_hash ?? 'none: the bundle is not finished'} |
| plan (SHA-256) | ${source.plan_hash} |
| begun | ${campaign.created_at} |
| episodes | ${rows.length} of ${episodeCountIn(campaign)} planned |
| passed | ${count(true)} |
| not passed | ${count(false)} |
| no verdict | ${count(null)} |
| by status | ${statusCounts(rows)} |

An episode has no verdict if it was inconclusive, could not be run, or broke outside the entrant: \`passed\` is null, not false. A value that was not measured is null, and \`null_reasons\` has the reason. Secrets are \`[secret:NAME]\`.

Not in the table: pages, replies, screenshots and judgements. They are in the bundle.

Licence: none is stated. Choose one before you publish this, and mind that answers, addresses and details may quote pages of others.

| column | type | content |
|---|---|---|
${COLUMNS.map(({ name, type, about }) => `| \`${name}\` | ${type} | ${about} |\n`).join('')}`;
}

function statusCounts(rows: readonly Row[]): string {
  return [...groupBy(rows, ({ status }) => status)].map(([status, of]) => `${of.length} ${status}`).join(', ');
}
