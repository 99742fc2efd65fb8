import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleLayout } from '../src/bundle/layout.ts';
import { drawReport, reportFiles } from '../src/cli/drawn-files.ts';
import { type BundleComparison, comparisonOf } from '../src/cli/actions/compare.ts';
import { openBundle, verifiedBundle } from '../src/cli/bundles.ts';
import { CountedRows } from '../src/report/counted-rows.ts';
import { code, type Column, table } from '../src/report/document.ts';
import { markdownBlocks } from '../src/report/markdown.ts';
import type { Report } from '../src/report/report.ts';
import { asideIn } from '../src/report/roles.ts';
import { withDrawnPart } from './drawn-part.ts';
import { type OrderLine, ordersIn } from './web-orders.ts';

/** The page with the table, and the bundles that it is drawn from. */
export const RESULTS_DOCS = fileURLToPath(new URL('../docs/results.md', import.meta.url));
const BUNDLES = fileURLToPath(new URL('../docs/bundles', import.meta.url));

/** Returns the names of all committed bundles. */
export function committedBundles(): string[] {
  return readdirSync(BUNDLES)
    .map((file) => path.basename(file, '.zip'))
    .toSorted();
}

/** Most bytes of a packed bundle that a test reads many times. */
const SMALL_BYTES = 2_000_000;

/** Returns the names of the committed bundles that are read in less than a second. */
export function smallBundles(): string[] {
  return committedBundles().filter((name) => statSync(packedBundle(name)).size <= SMALL_BYTES);
}

/** Returns the file that a committed bundle is packed in. */
export function packedBundle(name: string): string {
  return path.join(BUNDLES, `${name}.zip`);
}

/** Draws the page of an unpacked bundle: the committed ones hold none. */
export async function reportPageOf(folder: string): Promise<string> {
  const layout = bundleLayout(folder);
  const { campaign, rows, complete } = await verifiedBundle(layout);
  const files = reportFiles(drawReport(campaign, CountedRows.of(rows), complete), layout);
  return (await files.find(({ name }) => name === 'report.html')?.text()) ?? '';
}

/** Draws the page again from the bundles. */
export async function drawResults(page: string): Promise<string> {
  const lines: Line[] = [];
  for (const name of committedBundles()) lines.push(await lineOf(name));
  return withDrawnPart(
    page,
    'scripts/draw-bundles.ts from docs/bundles',
    markdownBlocks([table('Bundles', SUMMARY, lines)]).join('\n'),
  );
}

type Line = { name: string } & Pick<Report, 'suites' | 'agents' | 'planned' | 'stress' | 'outcome_hash' | 'tables'>;

/** A line for each bundle; `touchstone show` lists its episodes. */
const SUMMARY: readonly Column<Line>[] = [
  { head: 'bundle', words: true, text: ({ name }) => code(`${name}.zip`) },
  { head: 'suite', words: true, text: ({ suites }) => suites.join(', ') },
  { head: 'episodes', text: ({ planned }) => planned },
  { head: 'passed', text: (line) => passedText(line, false) },
  { head: 'recovered from faults', text: ({ stress }) => recoveredText(stress ?? []) },
  { head: 'passed by controls', text: (line) => passedText(line, true) },
  { head: 'outcome hash', words: true, text: ({ outcome_hash: hash }) => code(`${hash.slice(0, 12)}…`) },
];

function passedText({ agents, tables }: Line, byControls: boolean): string {
  const isAside = asideIn(agents);
  return totalText(tables.entrants.filter((each) => isAside(each) === byControls).map(({ passed }) => passed));
}

function recoveredText(stress: NonNullable<Report['stress']>): string {
  return totalText(stress.filter(({ kind }) => kind === null).map(({ recovered: count, of }) => ({ count, of })));
}

function totalText(shares: readonly { count: number; of: number }[]): string {
  const total = (key: 'count' | 'of'): number => shares.reduce((sum, share) => sum + share[key], 0);
  return shares.length === 0 ? '–' : `${total('count')} of ${total('of')}`;
}

async function lineOf(name: string): Promise<Line> {
  const { report } = await committedBundle(name);
  return { ...report, name };
}

interface CommittedBundle extends BundleComparison {
  orders: OrderLine[];
}

const verified = new Map<string, Promise<CommittedBundle>>();

/** Verifies and reads a committed bundle once per process: the large one has a thousand episodes. */
export function committedBundle(name: string): Promise<CommittedBundle> {
  const bundle = verified.get(name) ?? readCommitted(name);
  verified.set(name, bundle);
  return bundle;
}

async function readCommitted(name: string): Promise<CommittedBundle> {
  using opened = await openBundle(packedBundle(name));
  const { layout } = opened;
  const compared = await comparisonOf(layout.root);
  return { ...compared, orders: await ordersIn(layout, compared.rows) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(RESULTS_DOCS, await drawResults(readFileSync(RESULTS_DOCS, 'utf8')));
}
