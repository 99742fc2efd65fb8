import path from 'node:path';
import colours from 'picocolors';
import type { z } from 'zod';
import { writeFileAtomically } from '../../bundle/atomic-file.ts';
import { bundleLayout } from '../../bundle/layout.ts';
import { createRedactor, secretsFromEnvironment } from '../../bundle/redact.ts';
import { readCampaignFile } from '../../campaign/campaign-file.ts';
import { agentNamed } from '../../campaign/entrants.ts';
import { episodeCount, planCampaign } from '../../campaign/plan.ts';
import { runCampaign } from '../../campaign/run-campaign.ts';
import { markdownReport } from '../../report/markdown.ts';
import { printable } from '../../report/printable.ts';
import { buildReport, type Report } from '../../report/report.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { onInterruption } from '../interruption.ts';
import { Options } from '../options.ts';
import { resumeLine } from '../paste.ts';
import { ProgressPrinter } from '../progress-printer.ts';
import { refuseOtherSuites, suitesToResume } from '../resumed-suites.ts';
import { builtInSuites, loadSuites } from '../suites.ts';
import { table, type Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

const RunOptions = Options.omit({ install: true, quiet: true });
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
    'touchstone run --resume /tmp/bundle ./my-suite',
  ],
  async run(args, options, terminal, given) {
    if (options.resume !== undefined) refuseBesideResume(given);
    const resumed = options.resume === undefined ? null : await readCampaignFile(bundleLayout(options.resume));
    const folder = options.resume ?? options.out ?? newFolder(suiteNames(args, options));
    const names = resumed === null ? suiteNames(args, options) : suitesToResume(folder, resumed.suites, args);
    const suites = await loadSuites(names, terminal);
    if (resumed !== null) refuseOtherSuites(folder, resumed, suites);
    const plan =
      resumed?.plan ??
      (await planCampaign({
        suites,
        agents: agentsOf(options, given),
        surfaces: options.surface,
        only: options.task ?? null,
        iterations: options.iterations,
        seed: options.seed,
        maxSteps: options.maxSteps ?? null,
        isolation: options.isolation,
        browserKind: options.browser,
        live: options.live,
      }));
    const planned = episodeCount(plan);
    const printer = new ProgressPrinter(terminal, { verbose: options.verbose });
    const stop = new AbortController();
    const forgetSignals = onInterruption(() => {
      terminal.note('\nstopping after this episode; interrupt again to stop at once');
      stop.abort();
    });
    try {
      const outcome = await runCampaign({
        plan,
        suites,
        suiteNames: names,
        folder,
        resume: resumed !== null,
        listener: printer,
        signal: stop.signal,
        redactor: createRedactor(secretsFromEnvironment(process.env)),
      });
      const report = buildReport(outcome.campaignId, planned, outcome.rows);
      await writeReports(folder, report);
      print(report, { folder, names, background: outcome.backgroundRequests }, options, terminal);
      return exitCodeOf(report);
    } finally {
      forgetSignals();
    }
  },
});

const BESIDE_RESUME = new Set(['resume', 'verbose', 'json']);

/** A resumed campaign has its plan already. */
function refuseBesideResume(given: readonly string[]): void {
  const extra = given
    .filter((name) => !BESIDE_RESUME.has(name))
    .map((name) => `--${name.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`);
  if (extra.length === 0) return;
  throw new UsageError(
    `--resume finishes what was planned, so ${extra.join(', ')} cannot be changed`,
    'leave them out',
  );
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
  return ['transcript'];
}

function newFolder(names: readonly string[]): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+Z/g, '');
  return path.join('bundles', `${time}-${names.map((name) => path.basename(name)).join('-')}`);
}

async function writeReports(folder: string, report: Report): Promise<void> {
  const layout = bundleLayout(folder);
  await writeFileAtomically(layout.report('json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFileAtomically(layout.report('md'), markdownReport(report));
}

function print(
  report: Report,
  { folder, names, background }: { folder: string; names: readonly string[]; background: Record<string, number> },
  { json }: RunOptions,
  terminal: Terminal,
): void {
  if (json) {
    terminal.out(printable(JSON.stringify({ bundle: folder, ...report })));
    return;
  }
  const head = ['agent', 'surface', 'passed', 'episodes', 'median steps', 'median seconds'];
  const lines = report.entrants.map((entrant) => [
    entrant.agent,
    entrant.surface,
    entrant.passed,
    entrant.episodes,
    entrant.median_steps,
    entrant.median_wall_ms === null ? null : Math.round(entrant.median_wall_ms / 10) / 100,
  ]);
  terminal.out('');
  for (const line of table([head, ...lines])) terminal.out(line);
  const refused = Object.values(background).reduce((sum, count) => sum + count, 0);
  terminal.out('');
  terminal.out(`world          ${report.world_kinds.join(', ')}; mode ${report.modes.join(', ')}`);
  terminal.out(`outcome hash   ${report.outcome_hash}`);
  terminal.out(`browser's own  ${refused} background requests refused`);
  terminal.out(`report         ${bundleLayout(folder).report('md')}`);
  if (!report.complete) {
    terminal.out(colours.yellow(`not complete   finish it with: ${printable(resumeLine(folder, names))}`));
  }
}

/** Controls are meant to fail, everyone else to pass; and whoever was asked for must have run at all. */
function exitCodeOf(report: Report): (typeof EXIT)[keyof typeof EXIT] {
  if (!report.complete || report.episodes.some(({ status }) => status === 'infra_error')) return EXIT.infrastructure;
  const isMet = report.entrants.every(({ agent, episodes, passed }) =>
    isControl(agent) ? passed === 0 : passed === episodes && episodes > 0,
  );
  return isMet ? EXIT.done : EXIT.gateNotMet;
}

function isControl(agent: string): boolean {
  return agentNamed(agent).decider === 'control';
}
