import { faultAtStart, type TaskJudgement, whyInvalid } from '../contract/judge-task.ts';
import { messageOf } from '../contract/message-of.ts';
import { statusOf } from '../contract/status.ts';
import { taskName } from '../task/instance.ts';
import { viewportOf } from '../task/schema.ts';
import type { EpisodeResult, EpisodeSetup } from './episode-setup.ts';
import type { EventOf } from './events.ts';
import { Judge, worldCounts } from './judge.ts';
import { outsideProof } from './outside-proof.ts';
import { openPlace, type Place } from './place.ts';
import { type EntrantRun, runEntrant } from './run-entrant.ts';
import { SETTLE_MS } from './settle.ts';
import { restore } from './sign-in.ts';
import { type Armed, armFault } from './stress/arm.ts';
import { keepTrace } from './tracing.ts';
import { broken, type Ending, ending, stopEvent } from './trajectory.ts';

/**
 * Runs one episode: reset, start capture, the entrant's actions, end capture, one verdict, teardown. Never throws: what goes
 * wrong is in the result and in the events. Before the entrant begins, that is the infrastructure's fault; from then on it
 * counts, unless there is {@link outsideProof}.
 */
export async function runEpisode(setup: EpisodeSetup): Promise<EpisodeResult> {
  const { browser, surface, world, task, files = [] } = setup;
  let place: Place;
  try {
    place = await openPlace(surface, browser, world, task, files);
  } catch (error) {
    return { ...brokenDown(setup, error), judged: null, browserFit: false };
  }
  const progress: Progress = { armed: null, judge: null, judged: null, calls: 0, run: null };
  let outcome: Outcome;
  try {
    outcome = await runInPlace(setup, place, progress);
  } catch (error) {
    const { run } = progress;
    outcome = run === null || outsideProof(error) !== null ? brokenDown(setup, error) : unjudged(run);
    progress.armed?.record.seal();
  }
  if ((await browser.condition()) === 'ended') outcome = endedEarly(setup, outcome, progress, place);
  const isClosed = await place.close().catch(() => false);
  setup.sink.event(await surroundingsOf(setup, progress, place));
  return { ...outcome, judged: progress.judged, browserFit: isClosed && browser.isFit() };
}

type Outcome = Pick<EpisodeResult, 'status' | 'stop' | 'detail'>;

interface Progress {
  /** The fault, from when it is armed. */
  armed: Armed | null;
  judge: Judge | null;
  judged: TaskJudgement | null;
  /** Tool calls that have begun; for an agent that drives the browser itself, the gateway counts commands. */
  calls: number;
  run: EntrantRun | null;
}

async function surroundingsOf(
  { world, browser }: EpisodeSetup,
  { judge, run }: Progress,
  { gateway, contextId }: Place,
): Promise<EventOf<'surroundings'>> {
  const { manifestChecksum, runtimeHash } = await world.nac3();
  const refused = await world.refused();
  // Leaves out the judge's own requests at the end.
  const { outside, offArchive } = judge?.worldAtEnd ?? worldCounts(world);
  // A gateway gives access to the whole browser.
  const targets = browser.observer.outside.count(gateway === null ? contextId : undefined);
  return {
    type: 'surroundings',
    runtime_version: run?.runtimeVersion ?? null,
    manifest_checksum: manifestChecksum,
    runtime_hash: runtimeHash,
    off_archive: offArchive,
    violations: {
      ...(outside === 0 ? {} : { outside_world: outside }),
      ...(targets === 0 ? {} : { outside_target: targets }),
      ...gateway?.log.violations(),
    },
    ...(refused.length === 0 ? {} : { refused }),
  };
}

async function runInPlace(setup: EpisodeSetup, place: Place, progress: Progress): Promise<Outcome> {
  const { task, agent, surface, sink } = setup;
  sink.event({ type: 'reset', task: taskName(task), start_url: task.startUrl, surface: surface.id, agent: agent.id });
  if (setup.storedState !== undefined) await restore(setup.storedState, setup.browser.observer, place.contextId);
  await place.start(task.startUrl);
  const judge = judgeOf(setup, place);
  progress.judge = judge;
  const start = await judge.captureStart();
  progress.judged = start;
  if (faultAtStart(start) !== null) {
    const detail = whyInvalid(start);
    sink.event(stopEvent(ending('invalid_task', detail)));
    return { status: 'invalid_task', stop: 'invalid_task', detail };
  }
  const isTraced = (setup.trace ?? 'off') !== 'off';
  if (isTraced) await place.tracing.begin();
  const { fault: planned = null, browser, world } = setup;
  progress.armed = planned === null ? null : armFault(planned, { browser, world, place, sink });
  const toolCallBegins = () => {
    progress.calls += 1;
    judge.toolCallBegins();
  };
  const run = await runEntrant(setup, place, toolCallBegins, progress.armed).catch((error: unknown) =>
    brokenOff(setup, error),
  );
  progress.run = run;
  const { stop, detail, answer } = run.trajectory;
  // Remains of a fault must not count against the entrant.
  const fault = await problemOf('the fault could not be taken away', async () => progress.armed?.end(answer));
  progress.armed?.record.seal();
  // A trace that went on would observe the end capture.
  const traced = isTraced ? await place.tracing.end() : null;
  const hold = await problemOf('the entrant could not be cut off', () => place.endEntrant());
  sink.event(stopEvent(run.trajectory));
  const end = await judge.captureEnd(answer, fault ?? hold);
  progress.judged = end;
  const status = statusOf(stop, end);
  if (traced !== null) await keepTrace(traced, status, setup);
  return { status, stop, detail };
}

/** Returns why work failed that has to precede the end capture; null if it succeeded. */
async function problemOf(what: string, work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return `${what}: ${messageOf(error)}`;
  }
}

function brokenOff({ sink }: EpisodeSetup, error: unknown): EntrantRun {
  if (outsideProof(error) !== null) throw error;
  const own = ending('agent_error', sink.clean(`the run of the entrant broke off: ${messageOf(error)}`));
  return { trajectory: { ...own, steps: null, isolation: null, wallMs: 0 }, runtimeVersion: null };
}

/** The outcome if not even the lack of evidence could be recorded at the end. */
function unjudged({ trajectory: { stop, detail } }: EntrantRun): Outcome {
  return { status: statusOf(stop, { goal: null, guard: null }), stop, detail };
}

function judgeOf({ task, world, browser, sink, ...setup }: EpisodeSetup, { contextId }: Place): Judge {
  return new Judge({
    observer: browser.observer,
    untouched: async () => (await setup.untouched?.()) ?? browser,
    contextId,
    world,
    contracts: task,
    viewport: viewportOf(task),
    sink,
    settleMs: setup.settleMs ?? SETTLE_MS,
    screenshotClasses: setup.screenshotClasses ?? {},
  });
}

/**
 * Decides who is to blame for the end of the browser process. Nothing distinguishes a browser that broke by itself from one that
 * an entrant broke, so after the entrant's first command it is the entrant, who gets no second attempt.
 */
function endedEarly(setup: EpisodeSetup, outcome: Outcome, { run, calls }: Progress, { gateway }: Place): Outcome {
  const fault = setup.sink.clean(setup.browser.fault());
  const before = fault === null ? '' : `; before that, the connection to it was cut: ${fault}`;
  const detail = 'the browser process ended during the episode';
  const steps = gateway === null ? calls : (run?.trajectory.steps ?? 0);
  const hasActed = (gateway?.log.commands ?? 0) > 0 || steps > 0;
  if (!hasActed && !couldEndProcess(setup, run)) {
    return outcome.stop === 'infra_error' ? outcome : brokenDown(setup, detail + before);
  }
  const whose = hasActed ? 'after the entrant had begun to use it' : 'and the entrant could have ended it';
  const own: Ending = {
    ...broken('browser', `${detail}, ${whose}${before}`),
    answer: run?.trajectory.answer ?? null,
  };
  setup.sink.event(stopEvent(own));
  return { status: 'agent_error', stop: own.stop, detail: own.detail };
}

/** Whether an entrant has begun whose processes outside a sandbox can end the browser without a command. */
function couldEndProcess({ surface }: EpisodeSetup, run: EntrantRun | null): boolean {
  return surface.needs === 'endpoint' && run !== null && run.trajectory.isolation?.network !== 'gateway';
}

/** Records that the browser, the world or the start page broke down. */
function brokenDown({ sink }: EpisodeSetup, error: unknown): Outcome {
  const detail = sink.clean(messageOf(error));
  sink.event(stopEvent(ending('infra_error', detail)));
  return { status: 'infra_error', stop: 'infra_error', detail };
}
