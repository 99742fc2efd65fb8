import type { Agent, Move, SelfDrivingAgent } from '../../src/agent/agent.ts';
import { partsOfEvidence } from '../../src/bundle/evidence-file.ts';
import type { Redactor } from '../../src/bundle/redact.ts';
import { sha256Hex } from '../../src/contract/canonical.ts';
import type { Evidence } from '../../src/contract/evidence.ts';
import type { Json } from '../../src/contract/json.ts';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import type { EpisodeResult, EpisodeSetup } from '../../src/episode/episode-setup.ts';
import { runEpisode } from '../../src/episode/run-episode.ts';
import { faultStates } from '../../src/fault/fault-record.ts';
import { nothingRecorded, take } from '../../src/row/recorded.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import { defineTask } from '../../src/task/validate.ts';
import type { TaskInput } from '../../src/task/schema.ts';
import type { ToolReply } from '../../src/task/tool.ts';
import type { AppServer } from '../../src/world/backend.ts';
import type { App } from '../../src/world/app.ts';
import { startLocalWorld } from '../../src/world/local.ts';
import type { World } from '../../src/world/world-proxy.ts';
import { heardSink } from './heard-sink.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';

export const ORIGIN = 'http://stage.localhost';

/** By its path a page as HTML, or whatever answers there; anything else is 404. */
export type Pages = Record<string, string | ((request: Request) => Response | Promise<Response>)>;

export interface Staged {
  task: Partial<TaskInput>;
  pages: Pages;
  agent: Agent | SelfDrivingAgent;
  state?: () => Json | Promise<Json>;
  webSockets?: AppServer;
  setup?: Partial<EpisodeSetup>;
  worldWith?: (world: World) => World;
  redactor?: Redactor;
}

function summaryOf({ judged, ...result }: EpisodeResult, events: readonly EpisodeEvent[]) {
  const recorded = nothingRecorded();
  for (const [at, event] of events.entries()) take(recorded, { schema_version: 2, seq: at + 1, at_ms: at, event });
  const { last, moments, steps, turns, retries, tokensIn, tokensOut, costUsd, model: modelId } = recorded;
  return {
    ...result,
    goal: judged?.goal ?? null,
    guard: judged?.guard ?? null,
    decisive: judged?.decisive ?? null,
    faults: faultStates(recorded.faults),
    steps: steps.length,
    toolErrors: steps.filter(({ ok }) => !ok).length,
    lastCall: last.call === undefined ? null : { tool: last.call.tool, args: last.call.args },
    reported: recorded.reported,
    model: { turns, retries, tokensIn, tokensOut, costUsd, modelId },
    answer: last.stop?.answer ?? null,
    unsettled: (moments.start.judged?.unsettled ?? false) || (moments.end.judged?.unsettled ?? false),
    finalUrl: moments.end.judged?.url ?? null,
    surfaceVersion: last.opened?.surface_version ?? null,
    commands: last.gateway?.commands ?? null,
    scriptCalls: last.gateway?.script_steps.length ?? null,
    violations: last.surroundings?.violations ?? null,
    hasActed: last.acted !== undefined,
  };
}

export interface Performance {
  result: ReturnType<typeof summaryOf>;
  events: EpisodeEvent[];
  evidence: { start?: Evidence; end?: Evidence };
  traces: Buffer[];
  pictures: Buffer[];
}

/** One real episode on the shared browser, on pages that the test writes. */
export async function stage({
  task,
  pages,
  agent,
  state,
  webSockets,
  setup,
  worldWith,
  redactor,
}: Staged): Promise<Performance> {
  const events: EpisodeEvent[] = [];
  const evidence: Performance['evidence'] = {};
  const traces: Buffer[] = [];
  const pictures: Buffer[] = [];
  const world = await startLocalWorld({
    sites: [
      { origin: ORIGIN, create: () => appOf(pages, state, webSockets), hasState: state !== undefined, standIn: false },
    ],
    parameters: {},
    identity: await sharedIdentity(),
    live: false,
  });
  try {
    const result = await runEpisode({
      task: defineTask({
        id: 'staged',
        title: 'Staged',
        startUrl: `${ORIGIN}/`,
        goal: 'Do as the test says.',
        success: { kind: 'dom_text', selector: 'h1', contains: 'Done' },
        ...task,
      }),
      agent,
      surface: aria,
      browser: await sharedBrowser(),
      world: worldWith?.(world) ?? world,
      settleMs: 50,
      sink: {
        ...heardSink((event) => {
          events.push(event);
        }, redactor),
        evidence: (moment, captured) => {
          partsOfEvidence(captured);
          evidence[moment] = captured;
        },
        trace: (zip) => {
          traces.push(zip);
          return Promise.resolve(sha256Hex(zip));
        },
        picture: (jpeg) => {
          pictures.push(jpeg);
          return sha256Hex(jpeg);
        },
      },
      ...setup,
    });
    return { result: summaryOf(result, events), events, evidence, traces, pictures };
  } finally {
    await world.close();
  }
}

export function moves(...script: readonly Move[]): Agent {
  return deciding((_last, turn) => script[turn] ?? { kind: 'done', answer: null });
}

/** An agent that decides by what came of its last call and how often it was asked before. */
export function deciding(decide: (last: ToolReply | null, turn: number) => unknown): Agent {
  return {
    id: 'scripted',
    decider: 'control',
    open: () => {
      let turn = 0;
      return Promise.resolve({
        next: async (last) => {
          const move: ReturnType<typeof JSON.parse> = await decide(last, turn);
          turn += 1;
          return move;
        },
      });
    },
  };
}

export function call(tool: string, args: Record<string, string | number> = {}): Move {
  return { kind: 'call', call: { tool, args } };
}

/** The reference of the first element that a snapshot shows as this line. */
export function refOf(last: ToolReply | null, line: string): string {
  const found = last?.text.split('\n').find((each) => each.includes(line));
  return /\[ref=([a-z0-9]+)\]/.exec(found ?? '')?.[1] ?? 'e404';
}

function appOf(pages: Pages, state: Staged['state'], webSockets: AppServer | undefined): App {
  return {
    ...(webSockets === undefined ? {} : { webSockets }),
    state: state ?? (() => null),
    fetch: (request: Request) => {
      const page = pages[new URL(request.url).pathname];
      if (page === undefined) return new Response('not found', { status: 404 });
      if (typeof page === 'function') return page(request);
      return new Response(`<!doctype html><meta charset="utf-8">${page}`, { headers: { 'content-type': 'text/html' } });
    },
  };
}
