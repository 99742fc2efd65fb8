import { faultAtStart, whyInvalid } from '../contract/judge-task.ts';
import { statusOf } from '../contract/status.ts';
import { messageOf } from '../contract/message-of.ts';
import { taskName } from '../task/instance.ts';
import { viewportOf } from '../task/viewport.ts';
import type { EpisodeSetup } from './episode-setup.ts';
import type { EpisodeEvent } from './events.ts';
import { Judge, type JudgedCapture } from './judge.ts';
import { keepTrace } from './keep-trace.ts';
import { openPlace } from './open-place.ts';
import type { Place } from './place.ts';
import type { EpisodeResult } from './result.ts';
import { type EntrantRun, runEntrant } from './run-entrant.ts';
import { SETTLE_MS } from './settle.ts';
import { restore } from './sign-in.ts';
import { type Armed, armFault } from './stress/arm.ts';

/**
 * One episode: reset, start capture, the entrant's actions, end capture, one verdict, teardown.
 * Whatever goes wrong is in the result and in the events; nothing is thrown.
 */
export async function runEpisode(setup: EpisodeSetup): Promise<EpisodeResult> {
  const { browser, surface, world, task } = setup;
  let place: Place;
  try {
    place = await openPlace(surface, browser, world, task);
  } catch (error) {
    return { ...brokenDown(setup, error), judged: null, browserFit: false };
  }
  const begun: Begun = { armed: null, start: null, end: null, run: null };
  let outcome: Outcome;
  try {
    outcome = await runInPlace(setup, place, begun);
  } catch (error) {
    outcome = brokenDown(setup, error);
    // From now on its events tell no more of its fault.
    begun.armed?.record.seal();
  }
  if ((await browser.condition()) === 'ended') outcome = endedEarly(setup, outcome, begun, place);
  const isClosed = await place.close();
  setup.sink.event(surroundingsOf(setup, begun, place));
  return { ...outcome, judged: begun.end ?? begun.start, browserFit: isClosed && browser.isFit() };
}

/** The end of an episode. */
type Outcome = Pick<EpisodeResult, 'status' | 'stop' | 'detail'>;

/** The progress of an episode. */
interface Begun {
  /** The fault that it has, from when it is armed. */
  armed: Armed | null;
  start: JudgedCapture | null;
  end: JudgedCapture | null;
  run: EntrantRun | null;
}

function surroundingsOf(
  { world }: EpisodeSetup,
  { end, run }: Begun,
  { gateway }: Place,
): Extract<EpisodeEvent, { type: 'surroundings' }> {
  const { manifestChecksum, runtimeHash } = world.nac3();
  // The judge's own requests at the end are nobody's violation.
  const requests = Object.values(end?.outside ?? world.outside()).reduce((total, each) => total + each, 0);
  return {
    type: 'surroundings',
    runtime_version: run?.runtimeVersion ?? null,
    manifest_checksum: manifestChecksum,
    runtime_hash: runtimeHash,
    off_archive: end === null ? world.offArchive() : end.offArchive,
    violations: { ...(requests === 0 ? {} : { outside_world: requests }), ...gateway?.log.violations() },
  };
}

async function runInPlace(setup: EpisodeSetup, place: Place, begun: Begun): Promise<Outcome> {
  const { task, agent, surface, sink } = setup;
  sink.event({ type: 'reset', task: taskName(task), start_url: task.startUrl, surface: surface.id, agent: agent.id });
  if (setup.storedState !== undefined) await restore(setup.storedState, setup.browser.observer, place.contextId);
  await place.start(task.startUrl);
  const judge = judgeOf(setup, place);
  const start = await judge.capture('start', null);
  begun.start = start;
  if (faultAtStart(start) !== null) {
    const detail = whyInvalid(start);
    sink.event({ type: 'stop', stop: 'invalid_task', detail, answer: null });
    return { status: 'invalid_task', stop: 'invalid_task', detail };
  }
  const isTraced = (setup.trace ?? 'off') !== 'off';
  if (isTraced) await place.tracing.begin();
  const { fault: planned = null, browser, world } = setup;
  begun.armed = planned === null ? null : armFault(planned, { browser, world, place, sink });
  begun.run = await runEntrant(setup, place, judge, begun.armed);
  const { stop, detail, answer } = begun.run.trajectory;
  // An entrant is not judged by what a fault has left.
  await begun.armed?.end(answer);
  begun.armed?.record.seal();
  // Before the end is captured: nothing of it looks on then.
  const traced = isTraced ? await place.tracing.end() : null;
  await place.endEntrant();
  sink.event({ type: 'stop', stop, detail, answer });
  begun.end = await judge.capture('end', answer);
  const status = statusOf(stop, begun.end);
  if (traced !== null) await keepTrace(traced, status, setup);
  return { status, stop, detail };
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
function endedEarly(setup: EpisodeSetup, outcome: Outcome, { run }: Begun, { gateway }: Place): Outcome {
  const fault = setup.sink.clean(setup.browser.fault());
  const told = fault === null ? '' : `; before that, the connection to it was cut: ${fault}`;
  const detail = 'the browser process ended during the episode';
  const hasActed = (gateway?.log.commands ?? 0) > 0 || (run?.trajectory.steps ?? 0) > 0;
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
