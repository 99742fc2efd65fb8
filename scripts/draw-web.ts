import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MEASURED } from '../src/cli/actions/surface-bench.ts';
import { markdownBlocks } from '../src/report/markdown.ts';
import { situationCount, type Situations, situationsOf, situationsSection } from '../src/report/situations.ts';
import { BUILT_IN } from '../src/surface/built-in.ts';
import { committedBundle, committedBundles } from './draw-bundles.ts';
import { withDrawnPart } from './drawn-part.ts';
import { againSentence } from './web-again.ts';
import { Cause, causeOf, causeProblems, readCauses } from './web-cells.ts';
import { faultBlocks } from './web-faults.ts';
import { ordersTable } from './web-orders.ts';

/** The page with the tables, its picture, and the bundle that both are drawn from. */
export const TOOL_SERVERS_DOCS = fileURLToPath(new URL('../docs/tool-servers.md', import.meta.url));
const PICTURE = fileURLToPath(new URL('../docs/tool-servers.svg', import.meta.url));
const README = fileURLToPath(new URL('../README.md', import.meta.url));
const SOURCE = 'scripts/draw-web.ts from docs/bundles/web.zip';

async function measured(bundle = 'web'): Promise<Situations> {
  const { campaign, rows, axes } = await committedBundle(bundle);
  return situationsOf(campaign, rows, axes);
}

/** Footnotes on cells whose surface is not the cause. */
const MARKS: Readonly<Record<Cause['source'], string>> = { server: '', binding: 'ᵇ', touchstone: 'ᵗ', page: 'ᵖ' };

/** Draws the page again from the bundle. */
export async function drawWeb(page: string): Promise<string> {
  const causes = readCauses();
  const problems = causeProblems(causes, await measured());
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const cause = causeOf(causes);
  const markOf = (surface: string, task: string): string => MARKS[cause(surface, task)?.source ?? 'server'];
  const lines = markdownBlocks(situationsSection(await measured(), markOf).blocks);
  const orders = [ORDERS, '', ...markdownBlocks([ordersTable((await committedBundle('web')).orders)])];
  return withDrawnPart(
    page,
    SOURCE,
    [...lines, causesSentence(causes), '', ...(await againLines()), ...orders, ...(await faultLines())].join('\n'),
  );
}

/** Nothing as long as no second run is committed. */
async function againLines(): Promise<string[]> {
  if (!committedBundles().includes('web-again')) return [];
  return [againSentence(await measured(), await measured('web-again')), ''];
}

/** Nothing as long as no such bundle is committed. */
async function faultLines(): Promise<string[]> {
  if (!committedBundles().includes('faults')) return [];
  const { report } = await committedBundle('faults');
  return [FAULTS, '', ...markdownBlocks(faultBlocks(report.stress ?? []))];
}

const FAULTS =
  'In a task of the suite [`stress`](stress.md), one fault each time: `retrying-reference` looks again, waits, retries and starts over once. A fault at a numbered call hits other steps through other servers.';

const ORDERS = 'Pages of the group `trust` hold an order that no user gave. Did the replies repeat it?';

function causesSentence(causes: readonly Cause[]): string {
  const count = (isMeant: (cause: Cause) => boolean): number =>
    causes.filter(isMeant).flatMap(({ cells }) => Object.values(cells).flat()).length;
  const [server, binding, touchstone, page] = Cause.shape.source.options.map((source) =>
    count((cause) => cause.source === source),
  );
  const bare = count((cause) => cause.bare === true);
  return `The cause is the server or library in ${server} cells; ᵇ our binding, or our tools for a library, in ${binding}; ᵗ Touchstone in ${touchstone}; ᵖ a race with the page in ${page}. Of [these causes](../suites/web/cells.yaml), those of ${bare} cells were also seen with a bare client.`;
}

/** README with the sentence about the MCP servers that were measured. */
export async function drawSentence(readme: string): Promise<string> {
  const { groups, surfaces } = await measured();
  const tasks = groups.flatMap((each) => each.tasks);
  const ours = new Set(BUILT_IN.map(({ id }) => id));
  const servers = surfaces.filter(({ surface }) => !ours.has(surface));
  const counts = servers.map((each) => `\`${each.surface}\` ${situationCount(each, tasks).passed}`);
  const sentence = `Of ${tasks.length} situations of the real web, followed step by step without a model, the MCP servers passed, with the bindings in \`surfaces/\`: ${counts.join(', ')}. [Which ones, and at what cost](docs/tool-servers.md).`;
  return withDrawnPart(readme, SOURCE, `${sentence}\n`);
}

const [LEFT, TOP, WIDE, HIGH] = [190, 74, 62, 30];

/** A cell for each surface and group of situations, darker the more of them passed. */
function pictureOf({ groups, surfaces }: Situations): string {
  const columns = [{ group: 'all', tasks: groups.flatMap(({ tasks }) => tasks) }, ...groups];
  const [width, height] = [LEFT + columns.length * WIDE + 10, TOP + surfaces.length * HIGH + 10];
  const heads = columns.map(({ group }, at) => {
    const x = LEFT + at * WIDE + WIDE / 2;
    return `<text x="${x}" y="${TOP - 10}" transform="rotate(-35 ${x} ${TOP - 10})">${group}</text>`;
  });
  const rows = surfaces.flatMap((surface, row) => {
    const y = TOP + row * HIGH;
    const cells = columns.map(({ tasks }, column) => {
      const { passed, of } = situationCount(surface, tasks);
      const share = of === 0 ? 0 : passed / of;
      const x = LEFT + column * WIDE;
      const ink = share > 0.55 ? '#fff' : '#111';
      return `<rect x="${x}" y="${y}" width="${WIDE - 3}" height="${HIGH - 3}" fill="hsl(205 70% ${Math.round(94 - share * 60)}%)"/><text x="${x + (WIDE - 3) / 2}" y="${y + 18}" text-anchor="middle" fill="${ink}">${passed}/${of}</text>`;
    });
    return [`<text x="${LEFT - 10}" y="${y + 18}" text-anchor="end">${surface.surface}</text>`, ...cells];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui,sans-serif" font-size="13" fill="#111" role="img" aria-label="Situations of the web that each surface passed, by group">
<rect width="${width}" height="${height}" fill="#fff"/>
${[...heads, ...rows].join('\n')}
</svg>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const situations = await measured();
  writeFileSync(MEASURED, `${JSON.stringify(situations)}\n`);
  writeFileSync(PICTURE, pictureOf(situations));
  writeFileSync(TOOL_SERVERS_DOCS, await drawWeb(readFileSync(TOOL_SERVERS_DOCS, 'utf8')));
  writeFileSync(README, await drawSentence(readFileSync(README, 'utf8')));
}
