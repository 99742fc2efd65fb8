import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { comparisonOf } from '../src/cli/actions/compare.ts';
import { markdownBlocks } from '../src/report/markdown.ts';
import { axesSection } from '../src/report/sections/axes.ts';
import { packedBundle } from './draw-bundles.ts';
import { withDrawnPart } from './drawn-part.ts';

/** The page with the table, and the bundle that it is drawn from. */
export const SURFACES_DOCS = fileURLToPath(new URL('../docs/surfaces.md', import.meta.url));
/** The page with what the bundle says in the place of what stood there. */
export async function drawToolServers(page: string): Promise<string> {
  const { title, axes } = await comparisonOf(packedBundle('tool-servers'));
  return withDrawnPart(
    page,
    'scripts/draw-tool-servers.ts from docs/bundles/tool-servers.zip',
    markdownBlocks(axesSection(title, axes).blocks).join('\n'),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(SURFACES_DOCS, await drawToolServers(readFileSync(SURFACES_DOCS, 'utf8')));
}
