import { faultAtStart, type TaskJudgement, whyInvalid } from '../contract/judge-task.ts';
import { statusOf } from '../contract/status.ts';
import { messageOf } from '../contract/message-of.ts';
import { taskName } from '../task/instance.ts';
import { viewportOf } from '../task/schema.ts';
import type { EpisodeResult, EpisodeSetup } from './episode-setup.ts';
import type { EventOf } from './events.ts';
import { Judge, worldCounts } from './judge.ts';
import { keepTrace } from './tracing.ts';
import { openPlace } from './open-place.ts';
import { outsideProof } from './outside-proof.ts';
import type { Place } from './place.ts';
import { type EntrantRun, runEntrant } from './run-entrant.ts';
import { SETTLE_MS } from './settle.ts';
import { restore } from './sign-in.ts';
import { type Armed, armFault } from './stress/arm.ts';
import { ending } from './trajectory.ts';

/**
 * One episode: reset, start capture, the entrant's actions, end capture, one verdict, teardown.
 * Whatever goes wrong is in the result and in the events; nothing is thrown. Before the entrant begins, it is the
 * infrastructure's; from then on it counts, unless there is {@link outsideProof}.
 */
export async function runEpisode(setup: EpisodeSetup): Promise<EpisodeResult> {
  const { browser, surface, world, task } = setup;
  let place: Place;
  try {
    place = await openPlace(surface, browser, world, task);
  } catch (error) {
    return { ...brokenDown(setup, error), judged: null, browserFit: false };
  }
  const begun: Begun = { armed: null, judge: null, judged: null, calls: 0, run: null };
  let outcome: Outcome;
  try {
    outcome = await runInPlace(setup, place, begun);
  } catch (error) {
    outcome = begun.run === null || outsideProof(error) !== null ? brokenDown(setup, error) : unjudged(begun.run);
    // From now on its events tell no more of its fault.
    begun.armed?.record.seal();
  }
  if ((await browser.condition()) === 'ended') outcome = endedEarly(setup, outcome, begun, place);
  const isClosed = await place.close().catch(() => false);
  setup.sink.event(surroundingsOf(setup, begun, place));
  return { ...outcome, judged: begun.judged, browserFit: isClosed && browser.isFit() };
}

/** The end of an episode. */
type Outcome = Pick<EpisodeResult, 'status' | 'stop' | 'detail'>;

/** The progress of an episode. */
interface Begun {
  /** The fault that it has, from when it is armed. */
  armed: Armed | null;
  judge: Judge | null;
  /** The last judgement. */
  judged: TaskJudgement | null;
  /** Tool calls that the entrant has begun; of one that drives by itself, the gateway counts the commands. */
  calls: number;
  run: EntrantRun | null;
}

function surroundingsOf(
  { world, browser }: EpisodeSetup,
  { judge, run }: Begun,
  { gateway, contextId }: Place,
): EventOf<'surroundings'> {
  const { manifestChecksum, runtimeHash } = world.nac3();
  // The judge's own requests at the end are nobody's violation.
  const { outside, offArchive } = judge?.worldAtEnd ?? worldCounts(world);
  const requests = Object.values(outside).reduce((total, each) => total + each, 0);
  // Who comes through a gateway has the whole browser.
  const targets = browser.observer.outside.count(gateway === null ? contextId : undefined);
  return {
    type: 'surroundings',
    runtime_version: run?.runtimeVersion ?? null,
    manifest_checksum: manifestChecksum,
    runtime_hash: runtimeHash,
    off_archive: offArchive,
    violations: {
      ...(requests === 0 ? {} : { outside_world: requests }),
      ...(targets === 0 ? {} : { outside_target: targets }),
      ...gateway?.log.violations(),
    },
  };
}

async function runInPlace(setup: EpisodeSetup, place: Place, begun: Begun): Promise<Outcome> {
  const { task, agent, surface, sink } = setup;
  sink.event({ type: 'reset', task: taskName(task), start_url: task.startUrl, surface: surface.id, agent: agent.id });
  if (setup.storedState !== undefined) await restore(setup.storedState, setup.browser.observer, place.contextId);
  await place.start(task.startUrl);
  const judge = judgeOf(setup, place);
  begun.judge = judge;
  const start = await judge.captureStart();
  begun.judged = start;
  if (faultAtStart(start) !== null) {
    const detail = whyInvalid(start);
    sink.event({ type: 'stop', stop: 'invalid_task', detail, answer: null });
    return { status: 'invalid_task', stop: 'invalid_task', detail };
  }
  const isTraced = (setup.trace ?? 'off') !== 'off';
  if (isTraced) await place.tracing.begin();
  const { fault: planned = null, browser, world } = setup;
  begun.armed = planned === null ? null : armFault(planned, { browser, world, place, sink });
  const counting = {
    toolCallBegins: () => {
      begun.calls += 1;
      judge.toolCallBegins();
    },
  };
  begun.run = await runEntrant(setup, place, counting, begun.armed).catch((error: unknown) => brokenOff(setup, error));
  const { stop, detail, answer } = begun.run.trajectory;
  // An entrant is not judged by what a fault has left.
  const fault = await problemOf('the fault could not be taken away', async () => begun.armed?.end(answer));
  begun.armed?.record.seal();
  // Before the end is captured: nothing of it looks on then.
  const traced = isTraced ? await place.tracing.end() : null;
  const hold = await problemOf('the entrant could not be cut off', () => place.endEntrant());
  sink.event({ type: 'stop', stop, detail, answer });
  const end = await judge.captureEnd(answer, fault ?? hold);
  begun.judged = end;
  const status = statusOf(stop, end);
  if (traced !== null) await keepTrace(traced, status, setup);
  return { status, stop, detail };
}

/** Says why work failed after which the end would be captured; null when it did not. */
async function problemOf(what: string, work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return `${what}: ${messageOf(error)}`;
  }
}

/** The run of an entrant whose part has thrown. */
function brokenOff({ sink }: EpisodeSetup, error: unknown): EntrantRun {
  if (outsideProof(error) !== null) throw error;
  const own = ending('agent_error', sink.clean(`the run of the entrant broke off: ${messageOf(error)}`));
  return { trajectory: { ...own, steps: null, isolation: null, wallMs: 0 }, runtimeVersion: null };
}

/** The outcome of an entrant of whose end not even the lack of evidence could be recorded. */
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
 * Settles whose failure it is that the browser process ended. Nothing can tell a browser that broke by itself from one that an
 * entrant broke, so after the entrant's first command it is the entrant's, and is not tried again, whatever else broke down then.
 */
function endedEarly(setup: EpisodeSetup, outcome: Outcome, { run, calls }: Begun, { gateway }: Place): Outcome {
  const fault = setup.sink.clean(setup.browser.fault());
  const told = fault === null ? '' : `; before that, the connection to it was cut: ${fault}`;
  const detail = 'the browser process ended during the episode';
  const steps = gateway === null ? calls : (run?.trajectory.steps ?? 0);
  const hasActed = (gateway?.log.commands ?? 0) > 0 || steps > 0;
  if (!hasActed && !couldEndProcess(setup, run)) {
    return outcome.stop === 'infra_error' ? outcome : brokenDown(setup, detail + told);
  }
  const whose = hasActed ? 'after the entrant had begun to use it' : 'and the entrant could have ended it';
  const own = `${detail}, ${whose}${told}`;
  setup.sink.event({ type: 'stop', stop: 'agent_error', detail: own, answer: run?.trajectory.answer ?? null });
  return { status: 'agent_error', stop: 'agent_error', detail: own };
}

/** Whether an entrant that has begun has processes outside a sandbox, which reach the browser's own without any command. */
function couldEndProcess({ surface }: EpisodeSetup, run: EntrantRun | null): boolean {
  return surface.needs === 'endpoint' && run !== null && run.trajectory.isolation?.network !== 'gateway';
}

/** The result of an episode whose browser, world or start page broke down; its events say so too. */
function brokenDown({ sink }: EpisodeSetup, error: unknown): Outcome {
  const detail = sink.clean(messageOf(error));
  sink.event({ type: 'stop', stop: 'infra_error', detail, answer: null });
  return { status: 'infra_error', stop: 'infra_error', detail };
}
