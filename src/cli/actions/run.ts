import path from 'node:path';
import { bundleLayout } from '../../bundle/layout.ts';
import { createRedactor, secretsFromEnvironment } from '../../bundle/redact.ts';
import { type CampaignFile, readCampaignFile } from '../../plan/campaign-file.ts';
import { isFileName } from '../../plan/entrants.ts';
import { refuseEmptyShards } from '../../plan/part-of-plan.ts';
import { staleProofs } from '../../run/stale-proofs.ts';
import type { Shard } from '../../plan/shard.ts';
import { refuseUsedFolder } from '../../run/new-folder.ts';
import type { Claims } from '../../claim/claims.ts';
import type { Report } from '../../report/report.ts';
import { taskName } from '../../task/instance.ts';
import { againstBaseline } from '../baseline-gate.ts';
import { boundsText } from '../bounds-line.ts';
import { contractPlaces } from '../contract-places.ts';
import { failedSolutions } from '../failed-solutions.ts';
import { canClaim, foreseenClaims } from '../foreseen-claims.ts';
import { foreseenIsolation } from '../foreseen-isolation.ts';
import { foreseenLines } from '../foreseen-lines.ts';
import { gatesOf } from '../gates.ts';
import { onInterruption } from '../interruption.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { refuseBesideEndpoints, refuseMoreWorkers } from '../named-browsers.ts';
import { refuseBesideQueue, runHereOrElsewhere } from '../elsewhere.ts';
import { whileWaiting } from '../live/progress-display.ts';
import { inEvents } from '../live/event-lines.ts';
import { follow } from '../live/follow.ts';
import { flagOf } from '../options.ts';
import { newPlan, type Planned, resumedPlan } from '../planning.ts';
import { proofsLine } from '../proofs-line.ts';
import { printSummary } from '../run-summary.ts';
import { agreeOnSpending, isBilled, plannedSpending } from '../spending.ts';
import { asTyped, noteInterruption, type Terminal } from '../terminal.ts';
import { workersAsked } from '../workers-asked.ts';
import { writeReports } from '../written-reports.ts';
import type { Request } from '../command.ts';
import type { RunOptions } from '../commands/run.ts';

export async function run(request: Request<RunOptions>, given: Terminal): Promise<ExitCode> {
  const { options } = request;
  const { resume } = options;
  const terminal = options.json ? inEvents(given) : given;
  const planned = await plannedFor(request, terminal);
  const { plan, suites, suiteNames, entrants, environment, prompt, faults, maxUsd, shard } = planned;
  const workers = workersAsked(request, planned);
  if (options.claim)
    refuseClaimless(await foreseenClaims(planned, { isOurs: options.browserEndpoint.length === 0, workers }));
  refuseMoreWorkers(workers, options.browserEndpoint);
  const folder = resume ?? options.out ?? newFolder(suites, shard);
  const compare = options.baseline === undefined ? null : await againstBaseline(options.baseline, plan, suites);
  for (const { agent } of plan.entrants) entrants.agent(agent).assertReady?.();
  if (options.queue === undefined) tellIsolation(planned, folder, terminal);
  await agreeOnSpending(plannedSpending(plan, entrants), { maxUsd, yes: options.yes }, terminal);
  const isBilledFor = (agent: string) => isBilled(entrants.agent(agent));
  const followed = follow({ plan, ...options, bounds: boundsText(planned), isBilled: isBilledFor }, given);
  const stop = new AbortController();
  const forgetSignals = onInterruption(() => {
    noteInterruption(terminal, 'stopping after what is under way; interrupt again to stop at once');
    stop.abort();
  });
  try {
    const asked = {
      plan,
      suites,
      entrants,
      suiteNames,
      folder,
      resume: resume !== undefined,
      maxUsd,
      workers,
      shard,
      browserEndpoints: options.browserEndpoint,
      listener: followed.listener,
      signal: stop.signal,
      redactor: createRedactor(secretsFromEnvironment(environment, entrants.secrets)),
    };
    const outcome = await runHereOrElsewhere(asked, options, terminal);
    const campaign = await readCampaignFile(bundleLayout(folder));
    followed.listener.phase?.('writing the reports');
    const report = await writeReports(folder, campaign, { listsAll: options.json }, terminal);
    followed.end();
    const { backgroundRequests, pause, transcriptHashes } = outcome;
    const baseline = compare === null ? null : compare(report, transcriptHashes);
    if (options.json) {
      const output = { bundle: folder, ...report, pause, ...(baseline === null ? {} : { baseline }) };
      terminal.out(JSON.stringify(output));
    } else {
      const { cassette } = options;
      const sources = { suiteNames, entrantFiles: entrants.files, cassette, prompt, live: plan.live, faults };
      const found = await lookedUp(report, campaign, planned, folder);
      printSummary(report, { folder, ...sources, ...found, backgroundRequests, baseline, pause }, terminal);
    }
    return pause === null ? gatesOf(report, baseline).exit : EXIT.paused;
  } finally {
    followed.end();
    forgetSignals();
  }
}

/** Says beforehand what of ours is in the reach of agents and tool servers, and where the way to keep it from them is told. */
function tellIsolation(planned: Planned, folder: string, terminal: Terminal): void {
  const isolation = foreseenIsolation(planned, folder);
  if (isolation === null || isolation.by === 'bubblewrap') return;
  terminal.note(asTyped(isolation.brief, terminal));
}

/** @throws UsageError or CampaignError when what is asked for does not go together, or cannot be planned. */
async function plannedFor(request: Request<RunOptions>, terminal: Terminal): Promise<Planned> {
  return await whileWaiting('reading what is to be run', terminal, async () => {
    const planned = await newOrResumed(request, terminal);
    if (request.options.queue !== undefined) refuseBesideQueue(request.options);
    return planned;
  });
}

async function newOrResumed(request: Request<RunOptions>, terminal: Terminal): Promise<Planned> {
  const { options, given } = request;
  const { resume, shard } = options;
  if (resume !== undefined) refuseBesideResume(options, given);
  refuseBesideEndpoints(options.browserEndpoint, given);
  if (shard !== undefined) refuseBesideShard(given);
  if (resume !== undefined) return await resumedPlan(resume, request, terminal);
  if (options.out !== undefined) await refuseUsedFolder(options.out);
  const planned = await newPlan(request, terminal);
  if (shard !== undefined) refuseEmptyShards(planned.plan, shard);
  return { ...planned, shard };
}

/** @throws UsageError with all reasons, where nothing of it could become primary. */
function refuseClaimless(claims: Claims): void {
  if (canClaim(claims)) return;
  const message = ['nothing here could become a primary claim:', ...foreseenLines(claims)].join('\n');
  throw new UsageError(message, 'lift them, or leave out --claim');
}

const BESIDE_RESUME = new Set([
  'resume',
  'verbose',
  'json',
  'workers',
  'times',
  'queue',
  'store',
  'browserEndpoint',
  'baseline',
  'cassette',
  'recordCassette',
  'prompt',
  'liveWeb',
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

/** Nobody can say of a part of the tasks what all must come to. */
function refuseBesideShard(given: readonly string[]): void {
  if (!given.includes('baseline')) return;
  const remedy = 'leave out --baseline; "touchstone compare <before> <merged> --gate" compares the merged parts';
  throw new UsageError('--baseline needs the whole plan, but --shard runs only a part of it', remedy);
}

/** Ids, as a folder may be named in ways that say nothing, such as "." */
function newFolder(suites: readonly { id: string }[], shard: Shard | undefined): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+Z/g, '');
  const part = shard === undefined ? [] : [`${shard.index}-of-${shard.of}`];
  return path.join('bundles', [time, ...suites.map(({ id }) => id), ...part].join('-'));
}

/** Looks up in the files of the suites, and in the records of solutions, what the summary says of their tasks. */
async function lookedUp(report: Report, campaign: CampaignFile, planned: Planned, folder: string) {
  return {
    proofs: await proofsOf(campaign, planned),
    places: await contractPlaces(report, planned.suites),
    failedSteps: await failedSolutions(report, bundleLayout(folder)),
  };
}

async function proofsOf(
  { plan: { live, tasks }, pins }: CampaignFile,
  { suites, suiteNames }: Pick<Planned, 'suites' | 'suiteNames'>,
): Promise<string> {
  if (live) return 'none: the live web is not the world that a proof was made in';
  const byName = new Map(
    tasks.map(({ suite, task }) => [`${suite}/${taskName(task)}`, { suite, task: taskName(task) }]),
  );
  return proofsLine([...byName.values()], pins.qualifications, suiteNames, await staleProofs(suites, pins.app_hashes));
}
