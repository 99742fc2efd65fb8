import type { Agent } from '../agent/agent.ts';
import type { OwnedBrowser } from '../browser/launch.ts';
import { hashJson } from '../contract/canonical.ts';
import type { ScreenshotClasses } from '../contract/assertions/screenshot-class.ts';
import { decisiveLeaf } from '../contract/judgement.ts';
import type { Surface } from '../surface/surface.ts';
import { briefOf } from '../task/brief.ts';
import type { Task } from '../task/schema.ts';
import type { World } from '../world/world.ts';
import { type Hearing, Judge } from './judge.ts';
import { countNoProgress } from './no-progress.ts';
import { type Play, play } from './play.ts';
import type { EventSink, Redactor } from './ports.ts';
import type { EpisodeResult } from './result.ts';
import { openScene, openStartPage, type Scene } from './scene.ts';
import { SETTLE_MS } from './settle.ts';
import { statusOf, type Stop } from '../contract/status.ts';

export interface EpisodeSetup {
  task: Task;
  agent: Agent;
  /** Made for this episode: agents that follow a solution bind its steps through the open surface. */
  surface: Surface;
  browser: OwnedBrowser;
  /** Freshly reset. The caller closes it. */
  world: World;
  sink: EventSink;
  redactor?: Redactor;
  screenshotClasses?: ScreenshotClasses;
  /** Lowers the task's own cap of steps; it cannot raise it. */
  maxSteps?: number | null;
  /** Distance of two captures that must agree, in ms. */
  settleMs?: number;
}

const BROWSER_ENDED = {
  status: 'infra_error',
  stop: 'infra_error',
  detail: 'the browser process ended during the episode',
} as const;
const NO_SECRETS: Redactor = { text: (text) => text, json: (value) => value };

/**
 * One episode: reset, start capture, the agent's play, end capture, one verdict, teardown.
 * Whatever goes wrong is in the result; nothing is thrown.
 */
export async function runEpisode(setup: EpisodeSetup): Promise<EpisodeResult> {
  let scene: Scene;
  try {
    scene = await openScene(setup.browser, setup.world, setup.task);
  } catch (error) {
    return broken(error, false);
  }
  let result: EpisodeResult;
  try {
    result = await runInScene(setup, scene);
    // No call can ask for the browser's end, so that is proof from outside the entrant.
    if (!setup.browser.isRunning()) result = { ...result, ...BROWSER_ENDED };
  } catch (error) {
    result = broken(error, setup.browser.isRunning());
  }
  const fit = await scene.close();
  return { ...result, outside: setup.world.outside(), browserFit: fit && result.browserFit };
}

async function runInScene(setup: EpisodeSetup, scene: Scene): Promise<EpisodeResult> {
  const { task, agent, surface, sink } = setup;
  sink.event({ type: 'reset', task: task.id, start_url: task.startUrl, surface: surface.id, agent: agent.id });
  await openStartPage(scene.page, task.startUrl);
  const judge = judgeOf(setup, scene);
  const start = await judge.hear('start', null);
  const fault = faultOfTask(start);
  if (fault !== null) {
    sink.event({ type: 'stop', stop: 'invalid_task', detail: fault.detail, answer: null });
    return {
      ...untouched('invalid_task', fault.detail),
      ...verdictsOf(start),
      ...timesOf([start]),
      failedContract: fault.at,
      evidence: { start: start.evidence, end: null },
    };
  }
  const { deed, toolListHash } = await act(setup, scene, judge);
  sink.event({ type: 'stop', stop: deed.stop, detail: deed.detail, answer: deed.answer });
  const end = await judge.hear('end', deed.answer);
  return resultOf(setup, scene, { start, deed, end, toolListHash });
}

function judgeOf(setup: EpisodeSetup, { contextId }: Scene): Judge {
  return new Judge({
    observer: setup.browser.observer,
    contextId,
    world: setup.world,
    contracts: setup.task,
    redactor: setup.redactor ?? NO_SECRETS,
    sink: setup.sink,
    settleMs: setup.settleMs ?? SETTLE_MS,
    screenshotClasses: setup.screenshotClasses ?? {},
  });
}

/** Opens the surface, seats the agent and lets it act. An agent that cannot even begin is its own fault. */
async function act(setup: EpisodeSetup, scene: Scene, judge: Judge): Promise<{ deed: Play; toolListHash: string }> {
  const { task, agent, browser, sink, redactor = NO_SECRETS } = setup;
  const touch = (targetId: string): void => {
    browser.observer.touch(targetId);
  };
  const surface = await setup.surface.open({ context: scene.context, page: scene.page, touch });
  try {
    const toolListHash = hashJson(surface.tools);
    sink.event({ type: 'tools', names: surface.tools.map(({ name }) => name), tool_list_hash: toolListHash });
    const brief = briefOf(task);
    brief.caps.maxSteps = Math.min(brief.caps.maxSteps, setup.maxSteps ?? brief.caps.maxSteps);
    const session = await agent
      .open({
        brief,
        surface: setup.surface.id,
        tools: surface.tools,
        bind: (intent, last) => surface.bind(intent, last),
      })
      .catch((error: unknown) => ({ next: () => Promise.reject(error) }));
    const deed = await play({
      agent: session,
      surface,
      caps: brief.caps,
      sink,
      redactor,
      toolCallBegins: () => {
        judge.toolCallBegins();
      },
      currentUrl: () => activeUrl(setup, scene),
      browserRuns: () => browser.isRunning(),
    });
    return { deed, toolListHash };
  } finally {
    await surface.close();
  }
}

interface Course {
  start: Hearing;
  deed: Play;
  end: Hearing;
  toolListHash: string;
}

function resultOf(setup: EpisodeSetup, scene: Scene, { start, deed, end, toolListHash }: Course): EpisodeResult {
  const verdicts = verdictsOf(end);
  return {
    ...untouched(deed.stop, deed.detail),
    ...verdicts,
    ...timesOf([start, end]),
    status: statusOf(deed.stop, { goal: verdicts.goalVerdict, guard: verdicts.guardVerdict }),
    failedContract: decisive(end),
    declaredDone: deed.stop === 'done',
    answer: deed.answer,
    finalUrl: (setup.redactor ?? NO_SECRETS).text(activeUrl(setup, scene)),
    lastToolCall: deed.lastCall,
    unsettled: start.unsettled || end.unsettled,
    toolListHash,
    surfaceVersion: setup.surface.version,
    effort: {
      steps: deed.steps.length,
      toolErrors: deed.toolErrors,
      noProgressEpisodes: countNoProgress(deed.steps),
      responseBytes: deed.responseBytes,
      wallMs: deed.wallMs,
      agentMs: deed.agentMs,
      toolMs: deed.toolMs,
    },
    evidence: { start: start.evidence, end: end.evidence },
    browserFit: setup.browser.isRunning(),
  };
}

function activeUrl({ browser }: EpisodeSetup, { contextId }: Scene): string {
  return browser.observer.activePage(contextId)?.url ?? '';
}

/** A task whose start does not have `success` = fail and `guards` = pass says nothing about an agent. */
function faultOfTask({ success, guards }: Hearing): { detail: string; at: EpisodeResult['failedContract'] } | null {
  if (success.verdict !== 'fail') {
    const detail = `at the start, success must be fail and is ${success.verdict}`;
    return { detail, at: { contract: 'success', leaf: decisiveLeaf(success) ?? success } };
  }
  if (guards === null || guards.verdict === 'pass') return null;
  const detail = `at the start, guards must be pass and are ${guards.verdict}`;
  return { detail, at: { contract: 'guards', leaf: decisiveLeaf(guards) ?? guards } };
}

function decisive({ success, guards }: Hearing): EpisodeResult['failedContract'] {
  const ofGoal = decisiveLeaf(success);
  if (ofGoal !== null) return { contract: 'success', leaf: ofGoal };
  const ofGuards = guards === null ? null : decisiveLeaf(guards);
  return ofGuards === null ? null : { contract: 'guards', leaf: ofGuards };
}

function verdictsOf({ success, guards }: Hearing) {
  // Without guards there is nothing that could have been damaged.
  return { goalVerdict: success.verdict, guardVerdict: guards?.verdict ?? 'pass' } as const;
}

function timesOf(hearings: readonly Hearing[]): { judgeMs: number; settleMs: number } {
  let [judgeMs, settleMs] = [0, 0];
  for (const hearing of hearings) {
    judgeMs += hearing.judgeMs;
    settleMs += hearing.settleMs;
  }
  return { judgeMs, settleMs };
}

function broken(error: unknown, browserFit: boolean): EpisodeResult {
  return { ...untouched('infra_error', error instanceof Error ? error.message : String(error)), browserFit };
}

/** The result of an episode in which nothing happened yet. */
function untouched(stop: Stop, detail: string | null): EpisodeResult {
  return {
    status: statusOf(stop, { goal: null, guard: null }),
    stop,
    detail,
    goalVerdict: null,
    guardVerdict: null,
    failedContract: null,
    declaredDone: false,
    answer: null,
    finalUrl: null,
    lastToolCall: null,
    unsettled: null,
    toolListHash: null,
    surfaceVersion: null,
    effort: null,
    judgeMs: null,
    settleMs: null,
    outside: {},
    evidence: { start: null, end: null },
    browserFit: true,
  };
}
