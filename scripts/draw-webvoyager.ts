import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { publishedReport } from '../src/cli/actions/publish.ts';
import { scoreLines } from '../src/report/published-report.ts';
import { packedBundle } from './draw-bundles.ts';

/** The page with the scores, and the bundle that it is drawn from. */
export const WEBVOYAGER_DOCS = fileURLToPath(new URL('../docs/benchmarks/webvoyager.md', import.meta.url));
const BEGIN = '<!-- drawn by scripts/draw-webvoyager.ts from docs/bundles/webvoyager.zip -->\n';
const END = '<!-- to here -->\n';

/** The page with what the bundle says in the place of what stood there. */
export async function drawWebVoyager(page: string): Promise<string> {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${WEBVOYAGER_DOCS} does not say where the scores stand`);
  const lines = scoreLines(await publishedReport(packedBundle('webvoyager')));
  return `${page.slice(0, begin + BEGIN.length)}\n${lines.join('\n')}\n${page.slice(end)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(WEBVOYAGER_DOCS, await drawWebVoyager(readFileSync(WEBVOYAGER_DOCS, 'utf8')));
}
