import type { AgentSeat, AgentSession } from '../agent/agent.ts';
import type { CommandLog } from '../browser/gateway/command-log.ts';
import { messageOf } from '../contract/message-of.ts';
import type { Injection } from '../fault/fault-kind.ts';
import type { SurfaceSession } from '../surface/surface.ts';
import { briefOf } from '../task/brief.ts';
import { capsOf } from '../task/caps.ts';
import { viewportOf } from '../task/schema.ts';
import { act } from './act.ts';
import { within } from '../process/deadline.ts';
import { drive } from './drive.ts';
import { Film } from './film.ts';
import { openSurface } from './open-surface.ts';
import { pageStateOf } from './page-state.ts';
import type { Place } from './place.ts';
import type { EpisodeSetup, EventSink } from './episode-setup.ts';
import type { Armed } from './stress/arm.ts';
import { TurnMeter } from './turn-meter.ts';
import { broken, type Ending, ending, type Trajectory } from './trajectory.ts';
import { hashJson } from '../contract/canonical.ts';
import type { ToolDefinition } from '../task/tool.ts';

type Recording = Pick<EpisodeSetup, 'sink' | 'countTokens'>;

/** Records every list of tools that a surface offers: some tool servers offer more during an episode. */
export class ToolOffer {
  readonly #surface: SurfaceSession;
  readonly #setup: Recording;
  #listed: readonly ToolDefinition[] | null = null;
  #last: string | null = null;

  constructor(surface: SurfaceSession, setup: Recording) {
    this.#surface = surface;
    this.#setup = setup;
  }

  /** Records the current list if it has changed. */
  async look(): Promise<void> {
    const { sink, countTokens } = this.#setup;
    await this.#surface.refresh?.();
    const listed = this.#surface.tools;
    if (listed === this.#listed) return;
    this.#listed = listed;
    const tools = [...sink.clean(listed)];
    const hash = hashJson(tools);
    // A server may announce a change and list the same tools.
    if (hash === this.#last) return;
    this.#last = hash;
    const tokens = countTokens?.(JSON.stringify(tools)) ?? null;
    const names = tools.map(({ name }) => name);
    sink.event({ type: 'tools', names, tool_list_hash: hash, tokens, tools, tools_blob: null });
  }
}

/** Time for an agent to begin, and for a surface to close, in ms. */
const OPEN_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 5_000;

export interface EntrantRun {
  trajectory: Trajectory;
  /** The version that the page's NAC3 runtime reports; null without one, or if the surface does not ask. */
  runtimeVersion: string | null;
}

/** Opens the surface and lets the agent act through it. What breaks or hangs here is the entrant's fault. */
export async function runEntrant(
  setup: EpisodeSetup,
  place: Place,
  toolCallBegins: () => void,
  armed: Armed | null,
): Promise<EntrantRun> {
  const run = await openAndAct(setup, place, toolCallBegins, armed);
  if (place.gateway !== null) recordCommands(place.gateway.log, setup.sink);
  setup.sink.event({ type: 'acted', wall_ms: run.trajectory.wallMs });
  return run;
}

async function openAndAct(
  setup: EpisodeSetup,
  place: Place,
  toolCallBegins: () => void,
  armed: Armed | null,
): Promise<EntrantRun> {
  const { sink } = setup;
  const begun = performance.now();
  const opened = await openSurface(place);
  const openMs = performance.now() - begun;
  if ('failure' in opened)
    return { trajectory: notBegun(broken('surface', sink.clean(opened.failure))), runtimeVersion: null };
  const surface = armed?.through(opened.surface) ?? opened.surface;
  let isolation: Trajectory['isolation'] = null;
  try {
    sink.event({ type: 'opened', surface_version: surface.version ?? null, open_ms: openMs });
    isolation = surface.isolation ?? null;
    if (isolation !== null) sink.event({ type: 'isolated', ...isolation });
    const offer = new ToolOffer(surface, setup);
    await offer.look();
    const acted = await actThrough(
      { surface, offer, injection: armed?.injection ?? null },
      setup,
      place,
      toolCallBegins,
    );
    const trajectory = { ...acted, isolation: isolation ?? acted.isolation };
    return {
      trajectory: place.gateway?.log.commands === 0 ? unproven(trajectory) : trajectory,
      runtimeVersion: surface.runtimeVersion ?? null,
    };
  } catch (error) {
    const own = broken('surface', sink.clean(`the surface does not work: ${messageOf(error)}`));
    const trajectory = { ...notBegun(own), isolation };
    return { trajectory, runtimeVersion: null };
  } finally {
    // Closing the place ends all that is still open.
    await within(CLOSE_TIMEOUT_MS, () => surface.close()).catch(() => null);
  }
}

function recordCommands(log: CommandLog, sink: EventSink): void {
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

function notBegun(end: Ending): Trajectory {
  return { ...end, steps: 0, isolation: null, wallMs: 0 };
}

/** Rejects work if this browser received no command: the entrant drives another browser, or none. */
function unproven(trajectory: Trajectory): Trajectory {
  const { stop, steps, answer } = trajectory;
  if (stop !== 'done' || steps === 0) return trajectory;
  const detail =
    steps === null
      ? 'the agent reported that it was done, and this browser received no command from it'
      : 'calls were made, and this browser received no command from them';
  return { ...trajectory, ...broken('unreached', detail), answer };
}

function failing(reason: unknown): AgentSession {
  return { next: () => Promise.reject(reason) };
}

interface Opened {
  surface: SurfaceSession;
  offer: ToolOffer;
  injection: Injection | null;
}

async function actThrough(
  { surface, offer, injection }: Opened,
  setup: EpisodeSetup,
  { contextId, gateway, given }: Place,
  toolCallBegins: () => void,
): Promise<Trajectory> {
  const { agent, browser, sink } = setup;
  const caps = setup.caps ?? capsOf(setup.task, {}, { asksModel: agent.decider === 'model' });
  // The agent may write into its brief; that must not raise the caps.
  const brief = briefOf(setup.task, { ...caps }, surface.files);
  const currentUrl = () => browser.observer.activePage(contextId)?.url ?? '';
  const common = { sink, currentUrl, browser, caps };
  if ('drive' in agent) {
    if (gateway === null)
      return notBegun(ending('agent_error', `${agent.id} drives a browser itself, and the surface has none`));
    // For the judge, all its work is one call: its own reports must not change the evidence.
    toolCallBegins();
    return await drive({ ...common, agent, brief, cdpUrl: gateway.url, given, browserEnded: browser.ended });
  }
  const pageState = () => pageStateOf(browser.observer, contextId, sink);
  const turns = new TurnMeter({ caps, sink, budget: setup.budget });
  const seat: AgentSeat = {
    brief,
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
  if (!session.finished) return notBegun(ending('agent_error', `the agent did not begin within ${OPEN_TIMEOUT_MS} ms`));
  sink.event({ type: 'agent_begun' });
  const viewport = viewportOf(setup.task);
  const film = setup.film === true ? new Film({ browser, contextId, viewport, sink }) : null;
  const trajectory = await act({
    ...common,
    agent: session.value,
    slowMs: setup.slowMs,
    pageState,
    injection,
    turns,
    surface,
    toolCallBegins: ({ args }) => {
      toolCallBegins();
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
