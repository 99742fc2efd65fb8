/**
 * Measures tool servers and libraries in the situations of the suite `web`, verifies the bundle, and prints the tables of
 * docs/tool-servers.md. OpenChrome is measured if TOUCHSTONE_OPENCHROME names a build.
 *
 *   npm run bench:tool-servers [-- --out bundles/web]
 */
import { parseArgs } from 'node:util';
import { situationsIn } from '../src/cli/actions/surface-bench.ts';
import { main } from '../src/cli/program.ts';
import { forReader } from '../src/cli/terminal-sections.ts';
import { situationsSection } from '../src/report/situations.ts';

const SURFACES =
  'aria,dom,pixels,playwright,puppeteer,stagehand,playwright-mcp,chrome-devtools-mcp,agent-infra-browser';

const { values } = parseArgs({
  options: { out: { type: 'string', default: 'bundles/web' }, task: { type: 'string' } },
});
const surfaces = process.env['TOUCHSTONE_OPENCHROME'] === undefined ? SURFACES : `${SURFACES},openchrome`;
const only = values.task === undefined ? [] : ['--task', values.task];
// A situation that a server does not pass is a result.
const ended = await main(['run', 'web', '--surface', surfaces, '--out', values.out, ...only]);
if (ended > 1) throw new Error(`the campaign ended with ${ended}`);
if ((await main(['verify', values.out])) !== 0) throw new Error(`${values.out} does not hold`);
for (const line of forReader([situationsSection(await situationsIn(values.out))], {})) console.log(line);
