import type { AgentSeat, AgentSession } from '../agent/agent.ts';
import type { CommandLog } from '../browser/gateway/command-log.ts';
import { messageOf } from '../contract/message-of.ts';
import type { Injection } from '../fault/fault-kind.ts';
import type { SurfaceSession } from '../surface/surface.ts';
import { briefOf } from '../task/brief.ts';
import { capsOf } from '../task/caps.ts';
import { viewportOf } from '../task/schema.ts';
import { act } from './act.ts';
import { within } from './deadline.ts';
import { drive } from './drive.ts';
import { Film } from './film.ts';
import type { Judge } from './judge.ts';
import { openSurface } from './open-surface.ts';
import { pageStateOf } from './page-state.ts';
import type { Place } from './place.ts';
import type { EventSink } from './ports.ts';
import type { EpisodeSetup } from './episode-setup.ts';
import type { Armed } from './stress/arm.ts';
import { TurnMeter } from './turn-meter.ts';
import { ending, type Trajectory } from './trajectory.ts';
import { hashJson } from '../contract/canonical.ts';
import type { ToolDefinition } from '../task/tool.ts';
import { wellFormedJson } from '../contract/strings.ts';

/** Where lists are told, and how they are measured. */
type Measures = Pick<EpisodeSetup, 'sink' | 'countTokens'>;

/** Records the tools that a surface offers in an episode. Some tool servers offer more as they go: every list is an event. */
export class ToolOffer {
  readonly #surface: SurfaceSession;
  readonly #sink: EventSink;
  readonly #countTokens: ((text: string) => number) | null;
  #listed: readonly ToolDefinition[] | null = null;
  #last: string | null = null;

  constructor(surface: SurfaceSession, { sink, countTokens }: Measures) {
    this.#surface = surface;
    this.#sink = sink;
    this.#countTokens = countTokens ?? null;
  }

  /** Looks at the list as it is now, and tells it if it is another than before. */
  async look(): Promise<void> {
    await this.#surface.refresh?.();
    const listed = this.#surface.tools;
    if (listed === this.#listed) return;
    this.#listed = listed;
    const tools = wellFormedJson([...this.#sink.clean(listed)]);
    const hash = hashJson(tools);
    // A server may announce other tools and list the same.
    if (hash === this.#last) return;
    this.#last = hash;
    const tokens = this.#countTokens?.(JSON.stringify(tools)) ?? null;
    const names = tools.map(({ name }) => name);
    this.#sink.event({ type: 'tools', names, tool_list_hash: hash, tokens, tools, tools_blob: null });
  }
}

/** Time for an agent to begin, and for a surface to close, in ms. */
const OPEN_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 5_000;

/** The work of an entrant. */
export interface EntrantRun {
  trajectory: Trajectory;
  /** As the NAC3 runtime of the page called itself; null where there was none, or the surface does not ask. */
  runtimeVersion: string | null;
}

/** Opens the surface, gives the agent its place and lets it act. Whatever breaks or hangs here is the entrant's own. */
export async function runEntrant(
  setup: EpisodeSetup,
  place: Place,
  judge: Pick<Judge, 'toolCallBegins'>,
  armed: Armed | null,
): Promise<EntrantRun> {
  const run = await openAndAct(setup, place, judge, armed);
  if (place.gateway !== null) tellOf(place.gateway.log, setup.sink);
  setup.sink.event({ type: 'acted', wall_ms: run.trajectory.wallMs });
  return run;
}

async function openAndAct(
  setup: EpisodeSetup,
  place: Place,
  judge: Pick<Judge, 'toolCallBegins'>,
  armed: Armed | null,
): Promise<EntrantRun> {
  const { sink } = setup;
  const begun = performance.now();
  const opened = await openSurface(place);
  const openMs = performance.now() - begun;
  if ('failure' in opened) return { trajectory: notBegun(sink.clean(opened.failure)), runtimeVersion: null };
  const surface = armed?.through(opened.surface) ?? opened.surface;
  let isolation: Trajectory['isolation'] = null;
  try {
    // A server that has ended cannot be asked for it any more.
    sink.event({ type: 'opened', surface_version: surface.version ?? null, open_ms: openMs });
    isolation = surface.isolation ?? null;
    if (isolation !== null) sink.event({ type: 'isolated', ...isolation });
    const offer = new ToolOffer(surface, setup);
    await offer.look();
    const acted = await actThrough({ surface, offer, injection: armed?.injection ?? null }, setup, place, judge);
    const trajectory = { ...acted, isolation: isolation ?? acted.isolation };
    return {
      trajectory: place.gateway?.log.commands === 0 ? unproven(trajectory) : trajectory,
      runtimeVersion: surface.runtimeVersion ?? null,
    };
  } catch (error) {
    const trajectory = { ...notBegun(sink.clean(`the surface is none: ${messageOf(error)}`)), isolation };
    return { trajectory, runtimeVersion: null };
  } finally {
    // A surface that does not close in time leaves nothing behind: its place ends next.
    await within(CLOSE_TIMEOUT_MS, () => surface.close()).catch(() => null);
  }
}

function tellOf(log: CommandLog, sink: EventSink): void {
  const { commands, inputs } = log;
  sink.event({
    type: 'gateway',
    commands,
    inputs,
    methods: log.methods(),
    refused: log.refused(),
    script_steps: [...log.scriptSteps],
  });
}

function notBegun(detail: string): Trajectory {
  return { ...ending('agent_error', detail), steps: 0, isolation: null, wallMs: 0 };
}

/** Work that this browser saw nothing of is no work on it: the entrant drives another, or none. */
function unproven(trajectory: Trajectory): Trajectory {
  const { stop, steps } = trajectory;
  if (stop !== 'done' || steps === 0) return trajectory;
  const detail =
    steps === null
      ? 'the agent said that it was done, and this browser saw no command of it'
      : 'calls were made, and this browser saw no command of them';
  return { ...trajectory, stop: 'agent_error', detail };
}

interface Opened {
  surface: SurfaceSession;
  offer: ToolOffer;
  injection: Injection | null;
}

async function actThrough(
  { surface, offer, injection }: Opened,
  setup: EpisodeSetup,
  { contextId, gateway }: Place,
  judge: Pick<Judge, 'toolCallBegins'>,
): Promise<Trajectory> {
  const { agent, browser, sink } = setup;
  const asksModel = agent.decider === 'model';
  const brief = briefOf(setup.task, setup.caps ?? capsOf(setup.task, {}, { asksModel }));
  const common = {
    sink,
    currentUrl: () => browser.observer.activePage(contextId)?.url ?? '',
    browser,
  };
  if ('drive' in agent) {
    if (gateway === null) return notBegun(`${agent.id} drives a browser itself, and the surface has none`);
    // All that it does is one call to the judge: none of its own words moves what the evidence says.
    judge.toolCallBegins();
    return await drive({ ...common, agent, brief, cdpUrl: gateway.url, browserEnded: browser.ended });
  }
  const pageState = () => pageStateOf(browser.observer, contextId, sink);
  const turns = new TurnMeter({ caps: brief.caps, sink, budget: setup.budget });
  const seat: AgentSeat = {
    // A copy: what an agent does to its brief must not raise its caps.
    brief: structuredClone(brief),
    surface: setup.surface.id,
    get tools() {
      return surface.tools;
    },
    bind: surface.bind.bind(surface),
    pageState,
    seed: setup.seed ?? '',
    turns,
  };
  const opening = within(OPEN_TIMEOUT_MS, () => agent.open(seat));
  // An agent that cannot begin fails at its first move.
  const session = await opening.catch((reason: unknown) => ({ finished: true, value: failing(reason) }) as const);
  if (!session.finished) return notBegun(`the agent did not begin within ${OPEN_TIMEOUT_MS} ms`);
  sink.event({ type: 'agent_begun' });
  const viewport = viewportOf(setup.task);
  const film = setup.film === true ? new Film({ browser, contextId, viewport, sink }) : null;
  const trajectory = await act({
    ...common,
    agent: session.value,
    pageState,
    injection,
    turns,
    surface,
    caps: brief.caps,
    toolCallBegins: ({ args }) => {
      judge.toolCallBegins();
      gateway?.callBegins(args);
    },
    toolCallEnded: async () => {
      await offer.look();
      await film?.stepEnded();
    },
    countTokens: setup.countTokens ?? null,
  });
  turns.close();
  return trajectory;
}

function failing(reason: unknown): AgentSession {
  return {
    next: () => Promise.reject(reason),
  };
}
