import { bundleLayout } from '../../bundle/layout.ts';
import { createRedactor, secretsFromEnvironment } from '../../bundle/redact.ts';
import { type CampaignFile, readCampaignFile } from '../../plan/campaign-file.ts';
import type { Report } from '../../report/report.ts';
import type { Campaign } from '../../run/campaign.ts';
import { type CampaignOutcome, runCampaign } from '../../run/run-campaign.ts';
import { staleProofs } from '../../run/stale-proofs.ts';
import { taskName } from '../../task/instance.ts';
import { baselineGate, gatesOf } from '../gates.ts';
import { boundsText, agreeOnSpending, isBilled, plannedSpending } from '../spending.ts';
import { refuse, REQUEST_CHECKS, RUN_CHECKS } from '../checks.ts';
import type { Request } from '../command.ts';
import type { RunOptions } from '../commands/run.ts';
import { contractPlaces, failedSolutions } from '../failure-causes.ts';
import { stateChanges } from '../../viewer/state-changes.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { stopOnInterruption } from '../interruption.ts';
import { previewIsolation } from '../isolation-preview.ts';
import { inEvents } from '../live/event-lines.ts';
import { follow } from '../live/follow.ts';
import { whileWaiting } from '../live/progress-display.ts';
import { type PlannedRun, planRun } from '../planned-run.ts';
import { proofsLine } from '../proofs-line.ts';
import { printSummary } from '../run-summary.ts';
import { asTyped, noteInterruption, type Terminal } from '../terminal.ts';
import { writeReports } from '../written-reports.ts';

/** @param chosen changes what is run; nothing runs if it returns null */
export async function run(
  request: Request<RunOptions>,
  given: Terminal,
  chosen: (planned: PlannedRun) => PlannedRun | null = (all) => all,
): Promise<ExitCode> {
  const terminal = request.options.json ? inEvents(given) : given;
  await refuse(REQUEST_CHECKS, request);
  const whole = await whileWaiting('reading what is to be run', terminal, async () => planRun(request, terminal));
  const planned = chosen(whole);
  if (planned === null) return EXIT.done;
  await refuse(RUN_CHECKS, planned);
  noteIsolation(planned, terminal);
  await agreeOnSpending(
    plannedSpending(planned.plan, planned.entrants),
    { ...planned, yes: request.options.yes },
    terminal,
  );
  using followed = follow(followedIn(planned), given);
  using stop = stopOnInterruption(() => {
    noteInterruption(terminal, 'stopping after what is under way; interrupt again to stop at once');
  });
  const began = performance.now();
  const outcome = await runHereOrQueued(campaignOf(planned, { ...followed, ...stop }), request.options, terminal);
  // The time of a resumed run is not that of all its episodes.
  const tookMs = request.options.resume === undefined ? performance.now() - began : null;
  return await reportOn(planned, { ...outcome, tookMs }, followed, terminal);
}

/** Notes what agents and tool servers can reach, and where to read how to prevent it. */
function noteIsolation(planned: PlannedRun, terminal: Terminal): void {
  if (planned.options.queue !== undefined) return;
  const isolation = previewIsolation(planned, planned.folder);
  if (isolation === null || isolation.by === 'bubblewrap') return;
  terminal.note(asTyped(isolation.brief, terminal));
}

function followedIn(planned: PlannedRun) {
  const { plan, entrants, options } = planned;
  const isBilledFor = (agent: string) => isBilled(entrants.agent(agent));
  return { plan, ...options, bounds: boundsText(planned), isBilled: isBilledFor };
}

function campaignOf(planned: PlannedRun, { listener, signal }: Pick<Campaign, 'listener' | 'signal'>): Campaign {
  const { environment, entrants, options } = planned;
  return {
    ...planned,
    resume: options.resume !== undefined,
    browserEndpoints: options.browserEndpoint,
    redactor: createRedactor(secretsFromEnvironment(environment, entrants.secrets)),
    listener,
    signal,
  };
}

/** Most attempts in a queue and with its workers by default: more than a few machines run at once. */
const USUAL_IN_QUEUE = 32;
/** Rows record whether other episodes may have run at the same time. */
const MIN_IN_QUEUE = 2;

async function runHereOrQueued(
  campaign: Campaign,
  { queue, store }: RunOptions,
  terminal: Terminal,
): Promise<CampaignOutcome> {
  if (queue === undefined) return await runCampaign(campaign);
  const note = (line: string): void => {
    terminal.note(line);
  };
  const [{ withQueue }, { throughQueue }] = await Promise.all([
    import('../queue-place.ts'),
    import('../../queue/coordinate.ts'),
  ]);
  const { workers: asked } = campaign;
  const workers = typeof asked === 'number' ? Math.max(MIN_IN_QUEUE, asked) : USUAL_IN_QUEUE;
  return await withQueue({ queue, store }, note, async (place) =>
    runCampaign({ ...campaign, remote: throughQueue({ ...place, workers, note }) }),
  );
}

async function reportOn(
  planned: PlannedRun,
  { backgroundRequests, pause, transcriptHashes, tookMs }: CampaignOutcome & { tookMs: number | null },
  { listener, end }: ReturnType<typeof follow>,
  terminal: Terminal,
): Promise<ExitCode> {
  const { folder, options } = planned;
  const campaign = await readCampaignFile(bundleLayout(folder));
  listener.phase?.('writing the reports');
  const report = await writeReports(folder, campaign, { listsAll: options.json }, terminal);
  end();
  const baseline =
    planned.baseline === null ? null : baselineGate(planned.baseline, planned, report.episodes, transcriptHashes);
  if (options.json) {
    const output = { bundle: folder, ...report, pause, ...(baseline === null ? {} : { baseline }) };
    terminal.out(JSON.stringify(output));
  } else {
    const { suiteNames, entrants, prompt, plan, faults } = planned;
    const { verbose } = options;
    const sources = {
      suiteNames,
      entrantFiles: entrants.files,
      cassette: options.cassette,
      prompt,
      live: plan.live,
      faults,
      secretFile: options.secretFile,
    };
    const found = await lookedUp(report, campaign, planned);
    printSummary(
      report,
      { folder, ...sources, ...found, backgroundRequests, baseline, pause, tookMs, verbose },
      terminal,
    );
  }
  return pause === null ? gatesOf(report, baseline).exit : EXIT.paused;
}

/** Looks up hints for the summary in the files of the suites and the records of solutions. */
async function lookedUp(report: Report, campaign: CampaignFile, planned: PlannedRun) {
  return {
    proofs: await proofsOf(campaign, planned),
    places: await contractPlaces(report, planned.suites),
    failedSteps: await failedSolutions(report, bundleLayout(planned.folder)),
    changes: await stateChanges(report, bundleLayout(planned.folder)),
  };
}

async function proofsOf({ plan: { live, tasks }, pins }: CampaignFile, { suites, suiteNames }: PlannedRun) {
  if (live) return 'none: the live web is not the world that a proof was made in';
  const byName = new Map(
    tasks.map(({ suite, task }) => [`${suite}/${taskName(task)}`, { suite, task: taskName(task) }]),
  );
  return proofsLine([...byName.values()], pins.qualifications, suiteNames, await staleProofs(suites, pins.app_hashes));
}
