/**
 * A campaign with no model: local fakes that speak the wire formats of four providers follow a scripted policy. It shows
 * that the campaign runs, is counted and can be killed; it says nothing about any model.
 *
 *   npm run bench:600:mock [-- --out <folder>] [--kill-after <episodes>]
 *   npm run bench:claim:mock [-- --serve]
 *
 * `--serve` runs nothing: it keeps the fakes up until Ctrl-C, and prints the variables that lead Touchstone to them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { bundleLayout } from '../src/bundle/layout.ts';
import { packageRoot } from '../src/plan/package-root.ts';
import { planHash } from '../src/plan/plan.ts';
import { readCampaignFile } from '../src/plan/campaign-file.ts';
import { CampaignRequest } from '../src/cli/campaign-request.ts';
import { startFakeModels } from './mock-models/fake-models.ts';
import { scriptsIn } from './mock-models/scripts.ts';

const { values } = parseArgs({
  options: {
    campaign: { type: 'string', default: path.join(packageRoot(), 'campaigns/protocol-600.yaml') },
    out: { type: 'string' },
    'kill-after': { type: 'string' },
    serve: { type: 'boolean', default: false },
  },
});
const { suites, surfaces = ['aria'], tasks = [] } = CampaignRequest.parse(parse(readFileSync(values.campaign, 'utf8')));
const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-mock-'));
const bundle = values.out ?? path.join(folder, 'bundle');
const killAfter = Number(values['kill-after'] ?? Infinity);

console.error('the solutions, step by step, through each surface');
const reference = path.join(folder, 'reference');
const reached = ['--task', tasks.join(','), '--surface', surfaces.join(',')];
const solved = await touchstone({}, 'run', ...suites, ...reached, '--out', reference).ended;
if (solved !== 0) throw new Error(`the solutions do not pass: ${reference}`);
const fakes = await startFakeModels(await scriptsIn(reference));
try {
  if (values.serve) await serve();
  else await runWhole();
} finally {
  await fakes.close();
}

async function serve(): Promise<void> {
  for (const [name, value] of Object.entries(fakes.variables)) console.log(`export ${name}=${value}`);
  console.error('\nthe fakes answer until Ctrl-C: set these variables in another terminal');
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}

async function runWhole(): Promise<void> {
  const begun = Date.now();
  const run = touchstone(fakes.variables, 'run', '--campaign', values.campaign, '--out', bundle, '--verbose');
  if (Number.isFinite(killAfter)) {
    while (run.isRunning() && sealed() < killAfter) await pause(100);
    run.kill();
    await run.ended;
    console.error(`\nkilled after ${sealed()} episodes`);
    await touchstone(fakes.variables, 'run', '--resume', bundle, '--prompt', 'default').ended;
  } else await run.ended;
  console.error(`\n${sealed()} episodes sealed in ${Math.round((Date.now() - begun) / 1_000)} s`);
  const { plan } = await readCampaignFile(bundleLayout(bundle));
  // Fakes fail some tasks by policy, so no gate is met; what has to hold is that all is there.
  process.exitCode = (await touchstone({}, 'verify', bundle, '--anchor', planHash(plan)).ended) ?? 1;
}

/** Number of episodes that the ledger has as finished. */
function sealed(): number {
  const { ledger } = bundleLayout(bundle);
  return existsSync(ledger) ? readFileSync(ledger, 'utf8').split('"kind":"sealed"').length - 1 : 0;
}

function touchstone(variables: Readonly<Record<string, string>>, ...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', path.join(packageRoot(), 'src/cli/main.ts'), ...args], {
    env: { ...process.env, ...variables },
    // While fakes serve a shell, standard output holds the lines that it is to take in and nothing else.
    stdio: values.serve ? ['inherit', 2, 2] : 'inherit',
  });
  return {
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: () => child.kill('SIGKILL'),
    ended: new Promise<number | null>((resolve) => {
      child.on('close', resolve);
    }),
  };
}
