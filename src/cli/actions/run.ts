import path from 'node:path';
import { writeFileAtomically } from '../../bundle/atomic-file.ts';
import { bundleLayout } from '../../bundle/layout.ts';
import { createRedactor, secretsFromEnvironment } from '../../bundle/redact.ts';
import type { Row } from '../../bundle/row.ts';
import { type CampaignFile, readCampaignFile } from '../../plan/campaign-file.ts';
import { isFileName } from '../../plan/entrants.ts';
import { refuseUsedFolder } from '../../run/new-folder.ts';
import { runCampaign } from '../../run/run-campaign.ts';
import { CountedRows } from '../../report/counted-rows.ts';
import { episodeLine } from '../../report/episode-line.ts';
import { printable } from '../../report/printable.ts';
import type { Report } from '../../report/report.ts';
import { taskName } from '../../task/instance.ts';
import { drawReport, reportFiles } from '../drawn-files.ts';
import { againstBaseline } from '../baseline-gate.ts';
import { gatesOf } from '../gates.ts';
import { onInterruption } from '../interruption.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { flagOf } from '../options.ts';
import { newPlan, resumedPlan } from '../planning.ts';
import { ProgressPrinter } from '../progress-printer.ts';
import { proofsLine } from '../proofs-line.ts';
import { printSummary } from '../run-summary.ts';
import { agreeOnSpending, spendingOf } from '../spending.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { verifiedRecords } from '../verified-bundle.ts';
import type { Request } from '../command.ts';
import type { RunOptions } from '../commands/run.ts';

export async function run(request: Request<RunOptions>, terminal: Terminal): Promise<ExitCode> {
  const { options, given } = request;
  const { resume } = options;
  if (resume !== undefined) refuseBesideResume(options, given);
  if (options.browserEndpoint !== undefined) refuseBesideEndpoint(given);
  if (resume === undefined && options.out !== undefined) await refuseUsedFolder(options.out);
  const planned = await (resume === undefined ? newPlan(request, terminal) : resumedPlan(resume, request, terminal));
  const { plan, suites, suiteNames, entrants, environment, prompt, faults, maxUsd } = planned;
  const folder = resume ?? options.out ?? newFolder(suiteNames);
  const compare = options.baseline === undefined ? null : await againstBaseline(options.baseline, plan, suites);
  for (const { agent } of plan.entrants) entrants.agent(agent).assertReady?.();
  await agreeOnSpending(spendingOf(plan, entrants), { maxUsd, yes: options.yes }, terminal);
  const printer = new ProgressPrinter(terminal, { verbose: options.verbose, plan });
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
      suiteNames,
      folder,
      resume: resume !== undefined,
      maxUsd,
      browserEndpoint: options.browserEndpoint,
      listener: printer,
      signal: stop.signal,
      redactor: createRedactor(secretsFromEnvironment(environment, entrants.secrets)),
    });
    const campaign = await readCampaignFile(bundleLayout(folder));
    const report = await writeReports(folder, campaign, outcome.rows, terminal);
    const { backgroundRequests, pause, transcriptHashes } = outcome;
    const baseline = compare === null ? null : compare(report, transcriptHashes);
    if (options.json) {
      const told = { bundle: folder, ...report, pause, ...(baseline === null ? {} : { baseline }) };
      terminal.out(printable(JSON.stringify(told)));
    } else {
      const { cassette } = options;
      const sources = { suiteNames, entrantFiles: entrants.files, cassette, prompt, live: plan.live, faults };
      const proofs = proofsOf(campaign, suiteNames);
      printSummary(report, { folder, ...sources, backgroundRequests, proofs, baseline, pause }, terminal);
    }
    return pause === null ? gatesOf(report, baseline).exit : EXIT.paused;
  } finally {
    forgetSignals();
  }
}

const BESIDE_RESUME = new Set([
  'resume',
  'verbose',
  'json',
  'browserEndpoint',
  'baseline',
  'cassette',
  'recordCassette',
  'prompt',
  'live',
  'fault',
  'maxUsd',
  'yes',
]);

/** A resumed campaign has its plan already. */
function refuseBesideResume({ agent, surface }: RunOptions, given: readonly string[]): void {
  const namesFiles = { agent: agent.every(isFileName), surface: surface.every(isFileName) };
  const allowed = new Set([
    ...BESIDE_RESUME,
    ...Object.entries(namesFiles).flatMap(([name, is]) => (is ? [name] : [])),
  ]);
  const extra = given.filter((name) => !allowed.has(name)).map(flagOf);
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

function newFolder(names: readonly string[]): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+Z/g, '');
  return path.join('bundles', `${time}-${names.map((name) => path.basename(name)).join('-')}`);
}

function proofsOf({ plan: { live, tasks }, pins }: CampaignFile, suiteNames: readonly string[]): string {
  if (live) return 'none: the live web is not the world that a proof was made in';
  const byName = new Map(
    tasks.map(({ suite, task }) => [`${suite}/${taskName(task)}`, { suite, task: taskName(task) }]),
  );
  return proofsLine([...byName.values()], pins.qualifications, suiteNames);
}

/** A run takes its own bundle at no better word than a stranger's: an agent outside a sandbox could have written in it. */
async function writeReports(
  folder: string,
  campaign: CampaignFile,
  rows: readonly Row[],
  terminal: Terminal,
): Promise<Report> {
  const counted = new CountedRows();
  const { campaign: read, findings } = await verifiedRecords(bundleLayout(folder), (row) => {
    counted.take(row);
  });
  const off = findings.find(({ kind }) => kind === 'broken');
  if (off !== undefined) terminal.note(printable(`the bundle does not verify: ${off.file}: ${off.problem}`));
  // As they are on disk: whoever draws them again has no others.
  const report = drawReport(campaign, read === null ? CountedRows.of(rows) : counted, findings.length === 0);
  for (const { name, text } of reportFiles(report)) await writeFileAtomically(path.join(folder, name), text);
  // Whoever asks for all episodes gets all, whatever the files list.
  return report.episodes_not_listed === undefined
    ? report
    : { ...report, episodes: rows.map(episodeLine), episodes_not_listed: 0 };
}
