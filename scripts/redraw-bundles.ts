/**
 * Draws the committed bundles from nothing: runs a small campaign of each suite, verifies the bundle, and packs it.
 * With names only these; with `--reports` runs nothing, and draws only `report.json` in them again.
 *
 *   npm run draw:bundles [-- account stress] [-- --reports]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleLayout } from '../src/bundle/layout.ts';
import { packBundle } from '../src/bundle/pack.ts';
import { unpackBundle } from '../src/bundle/unpack.ts';
import { main } from '../src/cli/program.ts';
import { packedBundle } from './draw-bundles.ts';
import { FAULT_AGENT, FAULT_TASKS } from './web-faults.ts';

const TOOL_SERVERS =
  'aria,dom,pixels,playwright,puppeteer,stagehand,playwright-mcp,chrome-devtools-mcp,agent-infra-browser,openchrome';

/** The arguments of `touchstone run` for each bundle: as few episodes as show what the documents say of it. */
const CAMPAIGNS = new Map([
  ['account', 'account --task change-address,sign-in --agent reference,null,parrot --surface aria,playwright-mcp'],
  ['faults', `stress --task ${FAULT_TASKS} --agent ${FAULT_AGENT} --surface ${TOOL_SERVERS}`],
  [
    'protocols',
    'protocols --task T_MCP1_cancel_oldest_pending --agent reference,null --surface nac3,app-mcp,webmcp,dom,aria',
  ],
  ['realapps', 'realapps --task nr-rename-flow --agent reference,null'],
  [
    'stress',
    'stress --task sign-in --agent reference,retrying-reference --only-fault page-rerendered,page-covered,page-modal,server-killed',
  ],
  [
    'tool-servers',
    'basics --task dialog-delete,example-h1,iframe-vote,late-order --agent reference --surface aria,playwright-mcp,chrome-devtools-mcp,playwright,puppeteer,stagehand',
  ],
  ['web', `web --surface ${TOOL_SERVERS}`],
  // Without the pictures of `pixels`, which are half of the bytes of the first.
  ['web-again', `web --seed 2 --surface ${TOOL_SERVERS.replace('pixels,', '')}`],
  [
    'webvoyager',
    'webvoyager --task task-01-example-com-title,task-06-arxiv-2401-13919-abstract,task-12-arxiv-author-count,task-13-rfc-obsoleted-author --agent transcript,reference,null --surface playwright-mcp',
  ],
]);

const { values, positionals } = parseArgs({ options: { reports: { type: 'boolean' } }, allowPositionals: true });
const names = positionals.length > 0 ? positionals : [...CAMPAIGNS.keys()];
const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-redraw-'));
try {
  if (values.reports !== true && names.includes('realapps')) await main(['apps', 'install', 'node-red']);
  for (const name of names) await (values.reports === true ? drawReports(name) : runCampaign(name));
  // Only now: while a file of the repository is another than in its commit, pins call the commit dirty.
  for (const name of names) await packed(name);
} finally {
  rmSync(folder, { recursive: true });
}

async function runCampaign(name: string): Promise<void> {
  const campaign = CAMPAIGNS.get(name);
  if (campaign === undefined)
    throw new Error(`there is no bundle "${name}": name one of ${[...CAMPAIGNS.keys()].join()}`);
  const bundle = path.join(folder, name);
  // A task that is not passed through some surface is a result.
  if ((await main(['run', ...campaign.split(' '), '--out', bundle])) > 1) throw new Error(`${name} did not run`);
  if ((await main(['verify', bundle])) !== 0) throw new Error(`${name} does not hold`);
}

/** Packs a bundle without pages, which "touchstone report" draws: `report.json` has all that is in them. */
async function packed(name: string): Promise<void> {
  const bundle = bundleLayout(path.join(folder, name));
  for (const page of ['report.md', 'report.html']) rmSync(path.join(bundle.root, page), { force: true });
  await packBundle(bundle, packedBundle(name));
}

async function drawReports(name: string): Promise<void> {
  const bundle = path.join(folder, name);
  mkdirSync(bundle);
  await unpackBundle(packedBundle(name), bundle);
  if ((await main(['report', bundle])) !== 0) throw new Error(`${name} does not hold`);
}
