import { fact } from '../messages/messages.ts';
import { secretsIn } from '../browser/endpoint-address.ts';
import { requireBrowser } from '../browser/find.ts';
import type { BrowserPool } from '../browser/pool.ts';
import { createRedactor, type Redactor } from '../bundle/redact.ts';
import type { Pins } from '../plan/pins.ts';
import type { PlannedEpisode, PlannedTask } from '../plan/plan.ts';
import { type Credentials, credentialsOf } from '../task/auth.ts';
import { type TlsIdentity, tlsIdentityOfProcess } from '../world/tls-identity.ts';
import type { Campaign } from './campaign.ts';
import { campaignPins } from './campaign-pins.ts';
import { CellAgents } from './cell-agents.ts';
import { StoredStates } from './stored-states.ts';
import {
  loadSuiteWorlds,
  type SuiteWorld,
  realAppAt,
  placeInSuite,
  raiseWorld,
  type Setting,
  sitesFor,
  type StateAddress,
} from './suite-world.ts';
import { type BrowserSource, WorkerBrowsers } from './worker-browsers.ts';
import { canBubblewrap } from '../process/sandbox/bubblewrap.ts';
import type { AgentChoice } from '../agent/agent-choice.ts';
import { CLOSED_BOOK } from '../agent/kinds/controls.ts';
import type { Entrants } from '../plan/entrants.ts';
import { WorldError } from '../world/error.ts';
import { hashJson } from '../contract/canonical.ts';
import { messageOf } from '../contract/message-of.ts';
import type { World } from '../world/world-proxy.ts';
import { WorldThread } from '../world/thread/world-thread.ts';

/** Everything that the episodes of a campaign share on this machine. */
export interface CampaignStage extends AsyncDisposable {
  campaign: Campaign;
  /** The episodes whose entrants take part. */
  pinned: readonly PlannedEpisode[];
  worlds: SuiteWorlds;
  agents: CellAgents;
  browsers: WorkerBrowsers;
  threads: WorldThreads;
  identity: TlsIdentity;
  countTokens: CountTokens;
  secrets: Secrets;
}

type SuiteWorlds = ReadonlyMap<string, SuiteWorld>;

/** Credentials and sessions, which no bundle may hold, and the redactor that removes them. */
interface Secrets {
  redactor: Redactor;
  /** By suite. */
  credentials: ReadonlyMap<string, Credentials>;
  storedStates: StoredStates;
}

/** The browser and the thread of one worker, so that one that breaks, keeps state or is kept busy does not affect other workers. */
export interface Slot {
  stage: CampaignStage;
  pool: BrowserPool;
  thread: WorldThread;
}

/** The threads of a campaign's worlds, one for each worker; the first is there from the beginning. */
class WorldThreads {
  readonly first = new WorldThread();
  readonly #others: WorldThread[] = [];

  another(): WorldThread {
    const thread = new WorldThread();
    this.#others.push(thread);
    return thread;
  }

  async close(): Promise<void> {
    await Promise.all([this.first, ...this.#others].map((thread) => thread.close()));
  }
}

/**
 * @param pinned the episodes whose entrants take part
 * @param here the episodes among these whose worlds start on this machine
 * @throws AgentError, WorldError or BrowserError
 */
export async function openStage(
  campaign: Campaign,
  pinned: readonly PlannedEpisode[],
  here: readonly PlannedEpisode[],
): Promise<CampaignStage> {
  const { plan, suites, entrants, folder, listener } = campaign;
  listener.phase?.('trying the worlds');
  const worlds = await loadSuiteWorlds(suites);
  const threads = new WorldThreads();
  try {
    refuseOpenApps(here, worlds, entrants);
    const secrets = secretsOf(campaign);
    const agents = await CellAgents.make(pinned, { suites, entrants, bundle: folder, ...secrets });
    const identity = await tlsIdentityOfProcess();
    const countTokens = await loadTokenCounter();
    const tasks = [...new Set(here.map(({ planned }) => planned))];
    await tryWorlds(tasks, worlds, { identity, live: plan.live, thread: threads.first }, (what) =>
      listener.phase?.(what),
    );
    const browsers = new WorkerBrowsers(browsersFor(campaign, identity));
    return {
      campaign,
      pinned,
      worlds,
      agents,
      browsers,
      threads,
      identity,
      countTokens,
      secrets,
      [Symbol.asyncDispose]: async () => {
        try {
          await browsers.close();
        } finally {
          await threads.close();
        }
      },
    };
  } catch (error) {
    await threads.close();
    throw error;
  }
}

export async function pinsOf({ campaign, pinned, worlds, agents, browsers }: CampaignStage): Promise<Pins> {
  campaign.listener.phase?.('starting the browser');
  const browser = await browsers.identity();
  const takingPart = campaign.plan.entrants.filter(({ agent, surface }) =>
    pinned.some((each) => each.agent === agent && each.surface === surface),
  );
  return await campaignPins({ ...campaign, worlds, takingPart, transcripts: agents.transcriptHashes, browser });
}

/** Makes the slots of the workers. The first has the browser and the thread that the stage was tried with. */
export function slotsOf(stage: CampaignStage, count: number): Slot[] {
  const { browsers, threads } = stage;
  return browsers.of(count).map((pool, at) => ({ stage, pool, thread: at === 0 ? threads.first : threads.another() }));
}

/** Reads the secrets of logins and of browsers that are not ours, and adds them to the redactor. */
function secretsOf({ suites, redactor, browserEndpoints = [] }: Campaign): Secrets {
  const credentials = new Map(suites.map(({ id, credentials: own }) => [id, credentialsOf(own, process.env)]));
  const values = new Map([
    ...browserEndpoints.flatMap(secretsIn).map((value) => [value, 'BROWSER_ENDPOINT'] as const),
    ...[...credentials.values()].flatMap((own) => Object.entries(own).map(([name, value]) => [value, name] as const)),
  ]);
  const own = createRedactor([...values].map(([value, name]) => ({ name, value })));
  const storedStates = new StoredStates();
  const all: Redactor = {
    text: (text) => storedStates.redactor.text(own.text(redactor.text(text))),
    json: (value) => storedStates.redactor.json(own.json(redactor.json(value))),
  };
  return { credentials, storedStates, redactor: all };
}

function browsersFor({ plan, browserEndpoints = [] }: Campaign, { spki }: TlsIdentity): BrowserSource {
  if (browserEndpoints.length > 0) return { endpoints: browserEndpoints };
  return { binary: requireBrowser(plan.browser_kind), trustedSpki: spki, headed: plan.headed === true };
}

export type CountTokens = (text: string) => number;

/** Longer runs of one kind are measured in pieces, since the time grows with the square of the length. */
const LONG_RUN = /(\S{200}|\s{200})/;

/** Loads the vocabulary o200k_base, which measures texts for every model. Takes some 200 ms. */
export async function loadTokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // A page's text may look like a special token of the vocabulary.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => text.split(LONG_RUN).reduce((total, piece) => total + countTokens(piece, asText), 0);
}

/**
 * An agent that decides for itself could make a real application run a command, which without a sandbox runs as us and could write
 * the verdict.
 * @throws WorldError naming the agent and the application
 */
export function refuseOpenApps(
  episodes: readonly { agent: string; planned: Pick<PlannedTask, 'suite' | 'task'> }[],
  worlds: ReadonlyMap<string, SuiteWorld>,
  entrants: Pick<Entrants, 'agent'>,
  canSandbox: () => boolean = canBubblewrap,
): void {
  for (const { agent, planned } of episodes) {
    const choice = entrants.agent(agent);
    const world = worlds.get(planned.suite);
    const app = world === undefined ? null : realAppAt(world, planned.task.startUrl);
    if (app === null || !decidesForItself(choice) || canSandbox()) continue;
    throw new WorldError(fact('app_not_isolated', { agent: choice.id, app }));
  }
}

/** A model without tools cannot act. */
function decidesForItself({ id, decider }: AgentChoice): boolean {
  return decider === 'process' || (decider === 'model' && id !== CLOSED_BOOK);
}

/**
 * Starts and closes the apps once for each set of parameters, and asks programs for their state, so that those which cannot be
 * started or judged are known before there is a bundle.
 * @throws WorldError naming the app
 */
export async function tryWorlds(
  tasks: readonly PlannedTask[],
  worlds: ReadonlyMap<string, SuiteWorld>,
  setting: Setting,
  phase?: (what: string) => void,
): Promise<void> {
  const tried = new Set<string>();
  for (const { suite, task } of tasks) {
    const suiteWorld = worlds.get(suite);
    if (suiteWorld?.kind !== 'local') continue;
    const parameters = task.instance?.parameters ?? {};
    const sites = sitesFor(suiteWorld, task.startUrl);
    const key = hashJson({ suite, parameters, origins: sites.map(({ origin }) => origin) });
    if (tried.has(key)) continue;
    tried.add(key);
    phase?.(waitingText(sites.map(({ origin }) => origin)));
    const stateAddresses = sites.flatMap(({ origin }) => suiteWorld.stateAddresses.get(origin) ?? []);
    const world = await raiseWorld(suiteWorld, task, setting);
    try {
      if (stateAddresses.length > 0) await tryState(world, suite, stateAddresses);
    } finally {
      await world.close();
    }
  }
}

function waitingText([first, ...others]: readonly string[]): string {
  const rest = others.length === 0 ? '' : ` and ${others.length} more`;
  return `waiting for the app${others.length === 0 ? '' : 's'} of ${first ?? 'the suite'}${rest}`;
}

/** An address that returns no state would leave only invalid or inconclusive episodes. */
async function tryState(world: World, suite: string, stateAddresses: readonly StateAddress[]): Promise<void> {
  try {
    await world.state();
  } catch (error) {
    const places = stateAddresses.map(
      async ({ state, file, at }) =>
        `${state}, ${await placeInSuite(file, ['world', 'sites', at, 'program', 'state'])}`,
    );
    const fields = { suite, why: messageOf(error), places: (await Promise.all(places)).join('; ') };
    throw new WorldError(fact('app_state_not_returned', fields), error);
  }
}
