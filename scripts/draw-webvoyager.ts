import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { publishedReport } from '../src/cli/actions/publish.ts';
import { section } from '../src/report/document.ts';
import { markdownBlocks } from '../src/report/markdown.ts';
import { scoreBlocks } from '../src/report/published-report.ts';
import { packedBundle } from './draw-bundles.ts';
import { withDrawnPart } from './drawn-part.ts';

/** The page with the scores, and the bundle that it is drawn from. */
export const WEBVOYAGER_DOCS = fileURLToPath(new URL('../docs/benchmarks/webvoyager.md', import.meta.url));
/** Draws the page again from the bundle. */
export async function drawWebVoyager(page: string): Promise<string> {
  const lines = markdownBlocks(
    section('scores', 'Scores', ...scoreBlocks(await publishedReport(packedBundle('webvoyager')))).blocks,
  );
  return withDrawnPart(page, 'scripts/draw-webvoyager.ts from docs/bundles/webvoyager.zip', lines.join('\n'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(WEBVOYAGER_DOCS, await drawWebVoyager(readFileSync(WEBVOYAGER_DOCS, 'utf8')));
}
