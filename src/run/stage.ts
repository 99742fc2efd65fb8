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
import { closeSuiteWorld, loadSuiteWorlds, type SuiteWorld, worldBeside, realAppAt } from './suite-world.ts';
import { tryWorlds } from './try-worlds.ts';
import { type BrowserSource, WorkerBrowsers } from './worker-browsers.ts';
import { canBubblewrap } from '../process/sandbox/bubblewrap.ts';
import type { AgentChoice } from '../agent/agent-choice.ts';
import { CLOSED_BOOK } from '../agent/kinds/controls.ts';
import type { Entrants } from '../plan/entrants.ts';
import { WorldError } from '../world/error.ts';

/** What the episodes of a campaign share on this machine, until it is disposed of. */
export interface CampaignStage extends AsyncDisposable {
  campaign: Campaign;
  /** The episodes whose entrants take part. */
  pinned: readonly PlannedEpisode[];
  worlds: SuiteWorlds;
  agents: CellAgents;
  browsers: WorkerBrowsers;
  identity: TlsIdentity;
  countTokens: CountTokens;
  secrets: Secrets;
}

type SuiteWorlds = ReadonlyMap<string, SuiteWorld>;

/** What must not be written to a bundle: credentials and sessions, and the redactor that removes them. */
interface Secrets {
  redactor: Redactor;
  /** By suite. */
  credentials: ReadonlyMap<string, Credentials>;
  storedStates: StoredStates;
}

/** What one worker owns: a browser that breaks, or an app that keeps state, does not affect the other workers. */
export interface Slot {
  stage: CampaignStage;
  pool: BrowserPool;
  worlds: SuiteWorlds;
}

/**
 * Sets up what episodes run on.
 * @param pinned the episodes whose entrants take part
 * @param here the episodes among these whose worlds start on this machine
 * @throws AgentError, WorldError or BrowserError naming what is not as it has to be.
 */
export async function openStage(
  campaign: Campaign,
  pinned: readonly PlannedEpisode[],
  here: readonly PlannedEpisode[],
): Promise<CampaignStage> {
  const { plan, suites, entrants, folder, listener } = campaign;
  listener.phase?.('trying the worlds');
  const worlds = await loadSuiteWorlds(suites);
  const closeWorlds = (): void => {
    for (const world of worlds.values()) closeSuiteWorld(world);
  };
  try {
    refuseOpenApps(here, worlds, entrants);
    const secrets = secretsOf(campaign);
    const agents = await CellAgents.make(pinned, { suites, entrants, bundle: folder, ...secrets });
    const identity = await tlsIdentityOfProcess();
    const countTokens = await loadTokenCounter();
    const tasks = [...new Set(here.map(({ planned }) => planned))];
    await tryWorlds(tasks, worlds, { identity, live: plan.live }, (what) => listener.phase?.(what));
    const browsers = new WorkerBrowsers(browsersFor(campaign, identity));
    return {
      campaign,
      pinned,
      worlds,
      agents,
      browsers,
      identity,
      countTokens,
      secrets,
      [Symbol.asyncDispose]: async () => {
        try {
          await browsers.close();
        } finally {
          closeWorlds();
        }
      },
    };
  } catch (error) {
    closeWorlds();
    throw error;
  }
}

/** Reads what a stage is made of, as `campaign.json` pins it. */
export async function pinsOf({ campaign, pinned, worlds, agents, browsers }: CampaignStage): Promise<Pins> {
  campaign.listener.phase?.('starting the browser');
  const browser = await browsers.identity();
  const takingPart = campaign.plan.entrants.filter(({ agent, surface }) =>
    pinned.some((each) => each.agent === agent && each.surface === surface),
  );
  return await campaignPins({ ...campaign, worlds, takingPart, transcripts: agents.transcriptHashes, browser });
}

/** Makes the slots of as many workers. The first has what the stage was tried with. */
export async function slotsOf(stage: CampaignStage, count: number): Promise<Slot[]> {
  const slots: Slot[] = [{ stage, pool: stage.browsers.first, worlds: stage.worlds }];
  while (slots.length < count) slots.push({ stage, pool: stage.browsers.another(), worlds: await otherWorlds(stage) });
  return slots;
}

async function otherWorlds({ worlds, campaign }: CampaignStage): Promise<SuiteWorlds> {
  const own = new Map<string, SuiteWorld>();
  for (const suite of campaign.suites) {
    const first = worlds.get(suite.id);
    if (first !== undefined) own.set(suite.id, await worldBeside(first, suite));
  }
  return own;
}

/** Reads the secrets that logins need. They are redacted here, with the credentials of browsers that are not ours, so that no caller can forget it. */
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
  return { binary: requireBrowser(plan.browser_kind), trustedSpki: spki };
}

export type CountTokens = (text: string) => number;

/** Runs of one kind that are longer are measured in pieces: the time that a run takes grows with the square of its length. */
const LONG_RUN = /(\S{200}|\s{200})/;

/**
 * Loads the vocabulary o200k_base, by which texts are measured for every model: what a provider bills is for the
 * provider to state. Takes some 200 ms.
 */
export async function loadTokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text of a page may look like a mark of the vocabulary's own; it is text.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => text.split(LONG_RUN).reduce((total, piece) => total + countTokens(piece, asText), 0);
}

/**
 * An agent that decides for itself could make a real application run any command, and without a sandbox that command runs as us: it
 * could write the verdict. Solutions, transcripts and controls do nothing of the kind.
 * @throws WorldError naming who would meet which application.
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

/** A model without tools does nothing at all. */
function decidesForItself({ id, decider }: AgentChoice): boolean {
  return decider === 'process' || (decider === 'model' && id !== CLOSED_BOOK);
}
