import { faultAtStart } from '../contract/judge-task.ts';
import { statusOf } from '../contract/status.ts';
import { messageOf } from '../contract/message-of.ts';
import { taskName } from '../task/instance.ts';
import { viewportOf } from '../task/viewport.ts';
import type { EpisodeSetup } from './episode-setup.ts';
import { Judge } from './judge.ts';
import { keepTrace } from './keep-trace.ts';
import { openPlace } from './open-place.ts';
import type { Place } from './place.ts';
import { type EpisodeResult, NOT_BEGUN, surroundingsOf } from './result.ts';
import { type EntrantRun, runEntrant } from './run-entrant.ts';
import { SETTLE_MS } from './settle.ts';
import { restore } from './sign-in.ts';
import { type Armed, armFault } from './stress/arm.ts';

/**
 * One episode: reset, start capture, the entrant's actions, end capture, one verdict, teardown.
 * Whatever goes wrong is in the result; nothing is thrown.
 */
export async function runEpisode(setup: EpisodeSetup): Promise<EpisodeResult> {
  const { browser, surface, world, task } = setup;
  let place: Place;
  try {
    place = await openPlace(surface, browser, world, task);
  } catch (error) {
    return { ...NOT_BEGUN, ...brokenDown(setup, error), browserFit: false };
  }
  let result: EpisodeResult;
  const begun: Begun = { armed: null, start: null, run: null };
  try {
    result = await runInPlace(setup, place, begun);
  } catch (error) {
    result = { ...NOT_BEGUN, ...brokenDown(setup, error), start: begun.start, faults: faultsIn(begun) };
  }
  if ((await browser.condition()) === 'ended') {
    result = { ...result, ...endedEarly(setup, { ...result, ...begun.run }, place) };
  }
  const isClosed = await place.close();
  const whole: EpisodeResult = {
    ...result,
    // What the judge itself asked for at the end is nobody's violation.
    outside: result.end?.outside ?? world.outside(),
    offArchive: result.end?.offArchive ?? world.offArchive(),
    violations: place.gateway?.log.violations() ?? {},
    commands: place.gateway?.log.commands ?? null,
    scriptCalls: result.trajectory === null ? null : scriptCallsOf(setup, place),
    nac3: world.nac3(),
    browserFit: isClosed && browser.isFit(),
  };
  setup.sink.event(surroundingsOf(whole));
  return whole;
}

/** Null where nobody counts: nothing of what a self-driving agent writes passes by us. */
function scriptCallsOf({ agent, surface }: EpisodeSetup, { gateway }: Place): number | null {
  if ('drive' in agent) return null;
  if (gateway !== null) return gateway.log.scriptSteps.length;
  return surface.needs === 'context' && surface.takesScript === false ? 0 : null;
}

/** Known of an episode that breaks down: the fault that it has, from when it is armed, its start, and what the entrant did. */
interface Begun {
  armed: Armed | null;
  start: EpisodeResult['start'];
  run: EntrantRun | null;
}

/** What it has come to. From then on its events tell no more than the row does. */
function faultsIn({ armed }: Begun): EpisodeResult['faults'] {
  armed?.record.seal();
  return armed === null ? [] : [armed.record.state()];
}

async function runInPlace(setup: EpisodeSetup, place: Place, begun: Begun): Promise<EpisodeResult> {
  const { task, agent, surface, sink } = setup;
  sink.event({ type: 'reset', task: taskName(task), start_url: task.startUrl, surface: surface.id, agent: agent.id });
  if (setup.storedState !== undefined) await restore(setup.storedState, setup.browser.observer, place.contextId);
  await place.start(task.startUrl);
  const judge = judgeOf(setup, place);
  const start = await judge.capture('start', null);
  begun.start = start;
  const fault = faultAtStart(start);
  if (fault !== null) {
    const detail = `at the start, success must fail and guards must pass; success: ${start.goal}, guards: ${start.guard}`;
    sink.event({ type: 'stop', stop: 'invalid_task', detail, answer: null });
    return { ...NOT_BEGUN, status: 'invalid_task', stop: 'invalid_task', detail, start };
  }
  const isTraced = (setup.trace ?? 'off') !== 'off';
  if (isTraced) await place.tracing.begin();
  const { fault: planned = null, browser, world } = setup;
  begun.armed = planned === null ? null : armFault(planned, { browser, world, place, sink });
  begun.run = await runEntrant(setup, place, judge, begun.armed);
  const { trajectory, ...surfaceFacts } = begun.run;
  const { stop, detail, answer } = trajectory;
  // What a fault has left is not the entrant's to be judged by.
  await begun.armed?.end(answer);
  const faults = faultsIn(begun);
  // Before the end is captured: nothing of it looks on then.
  const traced = isTraced ? await place.tracing.end() : null;
  await place.endEntrant();
  sink.event({ type: 'stop', stop, detail, answer });
  const end = await judge.capture('end', answer);
  // What the browser tells by itself may come late, or never where a process has gone.
  const finalUrl = end.url ?? sink.clean(setup.browser.observer.activePage(place.contextId)?.url ?? '');
  const status = statusOf(stop, end);
  if (traced !== null) await keepTrace(traced, status, setup);
  return { ...NOT_BEGUN, ...surfaceFacts, status, stop, detail, start, trajectory, end, finalUrl, faults };
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
function endedEarly(setup: EpisodeSetup, result: EpisodeResult, { gateway }: Place): Partial<EpisodeResult> {
  const { trajectory, stop, toolListHash, toolListTokens, surfaceVersion, runtimeVersion, surfaceOpenMs } = result;
  const detail = 'the browser process ended during the episode';
  const hasActed = (gateway?.log.commands ?? 0) > 0 || (trajectory !== null && trajectory.steps.length > 0);
  if (!hasActed && !couldEndProcess(setup, trajectory)) {
    return stop === 'infra_error' ? {} : brokenDown(setup, detail);
  }
  const own = `${detail}, ${hasActed ? 'after the entrant had begun to use it' : 'and the entrant could have ended it'}`;
  setup.sink.event({ type: 'stop', stop: 'agent_error', detail: own, answer: null });
  const run = { trajectory, toolListHash, toolListTokens, surfaceVersion, runtimeVersion, surfaceOpenMs };
  return { ...run, status: 'agent_error', stop: 'agent_error', detail: own };
}

/** Whether an entrant that has begun has processes outside a sandbox, which reach the browser's own without any command. */
function couldEndProcess({ surface }: EpisodeSetup, trajectory: EpisodeResult['trajectory']): boolean {
  return surface.needs === 'endpoint' && trajectory !== null && trajectory.isolation?.network !== 'gateway';
}

/** What became of an episode whose browser, world or start page broke down; its events say so too. */
function brokenDown({ sink }: EpisodeSetup, error: unknown) {
  const detail = sink.clean(messageOf(error));
  sink.event({ type: 'stop', stop: 'infra_error', detail, answer: null });
  return { status: 'infra_error', stop: 'infra_error', detail } as const;
}
