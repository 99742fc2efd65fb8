import path from 'node:path';
import type { z } from 'zod';
import { writeFileAtomically } from '../../bundle/atomic-file.ts';
import { bundleLayout } from '../../bundle/layout.ts';
import { createRedactor, secretsFromEnvironment } from '../../bundle/redact.ts';
import type { Row } from '../../bundle/row.ts';
import { readCampaignFile } from '../../campaign/campaign-file.ts';
import { Entrants, isFileName } from '../../campaign/entrants.ts';
import { modelNames } from '../../campaign/model-names.ts';
import { planCampaign, type PlanRequest } from '../../campaign/plan.ts';
import { runCampaign } from '../../campaign/run-campaign.ts';
import { printable } from '../../report/printable.ts';
import { baseOfOneShot } from '../../surface/one-shot.ts';
import type { LoadedSuite } from '../../task/load-suite.ts';
import type { Report } from '../../report/report.ts';
import { defineCommand } from '../command.ts';
import { drawReport, reportFiles } from '../drawn-files.ts';
import { againstBaseline } from '../baseline-gate.ts';
import { gatesOf } from '../gates.ts';
import { onInterruption } from '../interruption.ts';
import { environmentWithFile, modelSetup } from '../model-setup.ts';
import { Options } from '../options.ts';
import { ProgressPrinter } from '../progress-printer.ts';
import { refuseOtherEntrants, refuseOtherSuites, sourcesOf, suitesToResume } from '../resumed-suites.ts';
import { printSummary } from '../run-summary.ts';
import { agreeOnSpending, spendingOf } from '../spending.ts';
import { builtInSuites, loadSuites } from '../suites.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { verifiedRecords } from '../verified-bundle.ts';

const RunOptions = Options.omit({
  install: true,
  quiet: true,
  pages: true,
  connectTo: true,
  facsimile: true,
  accept: true,
  to: true,
  anchor: true,
  signer: true,
  key: true,
  repetitions: true,
  perturbations: true,
});
type RunOptions = z.output<typeof RunOptions>;

export const run = defineCommand({
  usage: 'run [suites...]',
  about: 'Run agents through surfaces on the tasks of suites, judge them, and leave a bundle.',
  options: RunOptions,
  examples: [
    'touchstone run basics --agent reference,null,parrot',
    'touchstone run basics --task example-h1 --agent transcript --verbose',
    'touchstone run ./my-suite --out /tmp/bundle -n 5',
    'touchstone run --resume bundles/20260101T120000-basics',
    'touchstone run basics --agent transcript --baseline suites/basics/baseline.json',
    'touchstone run basics --surface aria,playwright-mcp,./my-server.yaml',
    'touchstone run basics --agent ./my-agent.mjs',
    'touchstone run basics --task example-h1 --agent claude-sonnet-4-6 --record-cassette ./cassettes',
    'touchstone run basics --task example-h1 --agent gpt-4o-mini --surface aria,aria:one-shot --prompt brief',
    'touchstone run basics --agent openai-compatible:qwen3',
    'touchstone run --resume /tmp/bundle ./my-suite',
  ],
  async run(args, options, terminal, given) {
    if (options.resume !== undefined) refuseBesideResume(options, given);
    if (options.browserEndpoint !== undefined) refuseBesideEndpoint(given);
    const resumed = options.resume === undefined ? null : await readCampaignFile(bundleLayout(options.resume));
    const folder = options.resume ?? options.out ?? newFolder(suiteNames(args, options));
    const names = resumed === null ? suiteNames(args, options) : suitesToResume(folder, sourcesOf(resumed), args);
    const suites = await loadSuites(names, terminal);
    if (resumed !== null) refuseOtherSuites(folder, resumed, suites);
    const environment = environmentWithFile('.', process.env);
    const agents = resumed === null ? agentsOf(options, given) : modelNames(resumed.pins.models);
    const entrants = await Entrants.load(
      { agents: agentsOf(options, given).filter(isFileName), surfaces: filesIn(options.surface) },
      modelSetup(agents, options, environment, suites),
    );
    if (resumed !== null) refuseOtherEntrants(folder, resumed, entrants);
    const plan = resumed?.plan ?? (await planCampaign(requestOf(suites, options, given), entrants));
    const compare = options.baseline === undefined ? null : await againstBaseline(options.baseline, plan, suites);
    for (const { agent } of plan.entrants) entrants.agent(agent).assertReady?.();
    await agreeOnSpending(spendingOf(plan, entrants), options.yes, terminal);
    const printer = new ProgressPrinter(terminal, { verbose: options.verbose, iterations: plan.iterations });
    const stop = new AbortController();
    const forgetSignals = onInterruption(() => {
      terminal.note('\nstopping after this episode; interrupt again to stop at once');
      stop.abort();
    });
    try {
      const outcome = await runCampaign({
        plan,
        suites,
        entrants,
        suiteNames: names,
        folder,
        resume: resumed !== null,
        browserEndpoint: options.browserEndpoint,
        listener: printer,
        signal: stop.signal,
        redactor: createRedactor(secretsFromEnvironment(environment, entrants.secrets)),
      });
      const report = await writeReports(folder, outcome.rows, terminal);
      const { backgroundRequests } = outcome;
      const baseline = compare === null ? null : compare(report, outcome.transcriptHashes);
      if (options.json) {
        terminal.out(
          printable(JSON.stringify({ bundle: folder, ...report, ...(baseline === null ? {} : { baseline }) })),
        );
      } else {
        const { cassette, prompt } = options;
        const sources = { suiteNames: names, entrantFiles: entrants.files, cassette, prompt };
        printSummary(report, { folder, ...sources, backgroundRequests, baseline }, terminal);
      }
      return gatesOf(report, baseline).exit;
    } finally {
      forgetSignals();
    }
  },
});

const BESIDE_RESUME = new Set([
  'resume',
  'verbose',
  'json',
  'browserEndpoint',
  'baseline',
  'cassette',
  'recordCassette',
  'prompt',
  'yes',
]);

/** A resumed campaign has its plan already. */
function refuseBesideResume({ agent, surface }: RunOptions, given: readonly string[]): void {
  const namesFiles = { agent: agent.every(isFileName), surface: surface.every(isFileName) };
  const allowed = new Set([
    ...BESIDE_RESUME,
    ...Object.entries(namesFiles).flatMap(([name, is]) => (is ? [name] : [])),
  ]);
  const extra = given
    .filter((name) => !allowed.has(name))
    .map((name) => `--${name.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`);
  if (extra.length === 0) return;
  throw new UsageError(
    `--resume finishes what was planned, so ${extra.join(', ')} cannot be changed`,
    `leave out ${extra.join(', ')}, or start a new campaign without --resume`,
  );
}

/** A browser that is running already is of the kind that it is, and cannot be had afresh. */
function refuseBesideEndpoint(given: readonly string[]): void {
  const extra = given.filter((name) => name === 'browser' || name === 'isolation').map((name) => `--${name}`);
  if (extra.length === 0) return;
  throw new UsageError(
    `--browser-endpoint names a browser that is running already, so ${extra.join(' and ')} cannot be chosen`,
    `leave out ${extra.join(' and ')}`,
  );
}

function requestOf(suites: readonly LoadedSuite[], options: RunOptions, given: readonly string[]): PlanRequest {
  return {
    suites,
    agents: agentsOf(options, given),
    surfaces: given.includes('surface') ? options.surface : null,
    only: options.task ?? null,
    iterations: options.iterations,
    seed: options.seed,
    maxSteps: options.maxSteps ?? null,
    isolation: options.isolation,
    browserKind: options.browser,
    live: options.live,
  };
}

/** The files among surfaces: `./my-server.yaml:one-shot` is of one, too. */
function filesIn(surfaces: readonly string[]): string[] {
  return surfaces.filter(isFileName).map((name) => baseOfOneShot(name) ?? name);
}

function suiteNames(args: readonly string[], { all, tasks }: RunOptions): string[] {
  const named = [...args, ...(tasks === undefined ? [] : [tasks]), ...(all ? builtInSuites() : [])];
  if (named.length > 0) return [...new Set(named)];
  throw new UsageError(
    'no suite is named',
    `name one, for example "touchstone run basics"; built in: ${builtInSuites().join(', ')}`,
  );
}

/** The seed's variable and flag choose the agent only where `--agent` does not. */
function agentsOf({ adapter, agent }: RunOptions, given: readonly string[]): readonly string[] {
  if (adapter === undefined || given.includes('agent')) return agent;
  return [ADAPTERS[adapter]];
}

/** The seeds' names, and the agents that they mean. */
const ADAPTERS = { mock: 'transcript', claude: 'claude-sonnet-4-6' } as const;

function newFolder(names: readonly string[]): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+Z/g, '');
  return path.join('bundles', `${time}-${names.map((name) => path.basename(name)).join('-')}`);
}

/** A run takes its own bundle at no better word than a stranger's: an agent outside a sandbox could have written in it. */
async function writeReports(folder: string, rows: readonly Row[], terminal: Terminal): Promise<Report> {
  const campaign = await readCampaignFile(bundleLayout(folder));
  const { verified, findings } = await verifiedRecords(folder);
  const off = findings.find(({ kind }) => kind === 'broken');
  if (off !== undefined) terminal.note(printable(`the bundle does not verify: ${off.file}: ${off.problem}`));
  // As they are on disk: whoever draws them again has no others.
  const report = drawReport(campaign, verified?.rows ?? rows, findings.length === 0);
  for (const { name, text } of reportFiles(report)) await writeFileAtomically(path.join(folder, name), text);
  return report;
}
