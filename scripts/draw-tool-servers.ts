import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { comparisonOf } from '../src/cli/actions/compare.ts';
import { axesTables } from '../src/report/axes-table.ts';
import { packedBundle } from './draw-bundles.ts';

/** The page with the table, and the bundle that it is drawn from. */
export const SURFACES_DOCS = fileURLToPath(new URL('../docs/surfaces.md', import.meta.url));
const BEGIN = '<!-- drawn by scripts/draw-tool-servers.ts from docs/bundles/tool-servers.zip -->\n';
const END = '<!-- to here -->\n';

/** The page with what the bundle says in the place of what stood there. */
export async function drawToolServers(page: string): Promise<string> {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${SURFACES_DOCS} does not say where the table stands`);
  const { title, axes } = await comparisonOf(packedBundle('tool-servers'));
  return `${page.slice(0, begin + BEGIN.length)}\n${axesTables(title, axes)}\n${page.slice(end)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(SURFACES_DOCS, await drawToolServers(readFileSync(SURFACES_DOCS, 'utf8')));
}
