import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleLayout } from '../src/bundle/layout.ts';
import { drawReport, reportFiles } from '../src/cli/drawn-files.ts';
import { readBundle, verifiedBundle } from '../src/cli/bundles.ts';
import { secondsText } from '../src/report/numbers.ts';
import { CountedRows } from '../src/report/counted-rows.ts';
import { type Column, ENTRANT_AGAIN, shareText, table } from '../src/report/document.ts';
import { markdownBlocks, markdownSections } from '../src/report/markdown.ts';
import type { Report } from '../src/report/report.ts';
import { recoverySection, signInSection } from '../src/report/sections/axes.ts';
import { withDrawnPart } from './drawn-part.ts';

/** The page with the tables, and the bundles that they are drawn from. */
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

/** The page with what the bundles say in the place of what stood there. */
export async function drawResults(page: string): Promise<string> {
  const sections: string[] = [];
  for (const name of committedBundles()) sections.push(...(await section(name)));
  return withDrawnPart(page, 'scripts/draw-bundles.ts from docs/bundles', sections.join('\n'));
}

const OUTCOMES: readonly Column<Report['tables']['entrants'][number]>[] = [
  ENTRANT_AGAIN,
  { head: 'passed', text: ({ passed }) => shareText(passed) },
  { head: 'damaged', text: ({ damaged }) => damaged.count },
  { head: 'mean time', text: ({ wall_ms: wall }) => secondsText(wall.mean) },
];

async function section(name: string): Promise<string[]> {
  const { campaign, rows, complete } = await readBundle(packedBundle(name));
  const report = drawReport(campaign, CountedRows.of(rows), complete);
  const suites = [...new Set(campaign.plan.tasks.map(({ suite }) => suite))].join(', ');
  // The reasons against claims are listed once, in the report.
  const figures = { ...report, claims: { ...report.claims, other_axes: [] } };
  return [
    `## ${name}`,
    '',
    `Suite \`${suites}\`, ${report.planned} episodes; world: ${report.world_kinds.join(', ')}; mode: ${report.modes.join(', ')}. [Packed](bundles/${name}.zip), outcome hash \`${report.outcome_hash.slice(0, 12)}…\`.`,
    '',
    ...markdownBlocks([table('Outcomes', OUTCOMES, report.tables.entrants)]),
    markdownSections([recoverySection(figures), signInSection(figures)], 3),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(RESULTS_DOCS, await drawResults(readFileSync(RESULTS_DOCS, 'utf8')));
}
