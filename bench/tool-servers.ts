/**
 * Measures tool servers and libraries in the situations of the suite `web`, verifies the bundle, and prints the tables of
 * docs/tool-servers.md. With `--faults` it measures the faults that they survive instead, in a task of the suite `stress`.
 * OpenChrome is measured if TOUCHSTONE_OPENCHROME names a build.
 *
 *   npm run bench:tool-servers [-- --faults] [-- --out <folder>] [-- --task <ids>] [-- --surface <ids>] [-- --only-fault <ids>]
 */
import { parseArgs } from 'node:util';
import { FAULT_AGENT, FAULT_TASKS, faultBlocks } from '../scripts/web-faults.ts';
import { comparisonOf } from '../src/cli/actions/compare.ts';
import { situationsIn } from '../src/cli/actions/surface-bench.ts';
import { main } from '../src/cli/program.ts';
import { forReader } from '../src/cli/terminal-sections.ts';
import { section } from '../src/report/document.ts';
import { situationsSection } from '../src/report/situations.ts';

const SURFACES =
  'aria,dom,pixels,playwright,puppeteer,stagehand,playwright-mcp,chrome-devtools-mcp,agent-infra-browser';

const { values } = parseArgs({
  options: {
    faults: { type: 'boolean', default: false },
    out: { type: 'string' },
    task: { type: 'string' },
    surface: { type: 'string' },
    'only-fault': { type: 'string' },
  },
});
const surfaces = process.env['TOUCHSTONE_OPENCHROME'] === undefined ? SURFACES : `${SURFACES},openchrome`;
const { faults, out = faults ? 'bundles/faults' : 'bundles/web', task = faults ? FAULT_TASKS : undefined } = values;
const chosen = { agent: faults ? FAULT_AGENT : undefined, surface: values.surface ?? surfaces, out, task };
const options = Object.entries({ ...chosen, 'only-fault': values['only-fault'] }).flatMap(([name, value]) =>
  value === undefined ? [] : [`--${name}`, value],
);
// A situation that a server does not pass is a result.
const ended = await main(['run', faults ? 'stress' : 'web', ...options]);
if (ended > 1) throw new Error(`the campaign ended with ${ended}`);
if ((await main(['verify', out])) !== 0) throw new Error(`${out} does not hold`);
const drawn = faults
  ? section('faults', 'Faults', ...faultBlocks((await comparisonOf(out)).report.stress ?? []))
  : situationsSection(await situationsIn(out));
for (const line of forReader([drawn], {})) console.log(line);
