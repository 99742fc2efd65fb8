import { secretsIn } from '../browser/endpoint-address.ts';
import { requireBrowser } from '../browser/find.ts';
import { createRedactor, type Redactor } from '../bundle/redact.ts';
import { type Credentials, credentialsOf } from '../task/auth.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { type TlsIdentity, tlsIdentityOfProcess } from '../world/tls-identity.ts';
import type { Entrants } from '../plan/entrants.ts';
import type { Pins } from '../plan/pins.ts';
import type { Plan, PlannedEpisode } from '../plan/plan.ts';
import { campaignPins } from './campaign-pins.ts';
import { CellAgents } from './cell-agents.ts';
import type { CampaignListener } from './listener.ts';
import { refuseOpenApps } from './open-apps.ts';
import { StoredStates } from './stored-states.ts';
import { closeSuiteWorld, loadSuiteWorlds, type SuiteWorld, tryWorlds } from './suite-world.ts';
import { type CountTokens, loadTokenCounter } from './token-counter.ts';
import { type BrowserSource, WorkerBrowsers } from './worker-browsers.ts';

export interface StageOptions {
  plan: Plan;
  suites: readonly LoadedSuite[];
  entrants: Entrants;
  /** The bundle's folder. */
  folder: string;
  redactor: Redactor;
  /** Where browsers answer that are not ours, one for each worker at most; absent or none: we launch our own. */
  browserEndpoints?: readonly string[];
  /** It makes a proof of qualification, and so rests on none. */
  proves?: boolean | undefined;
  /** The episodes whose entrants take part. */
  pinned: readonly PlannedEpisode[];
  /** The episodes among these whose worlds have to rise here. */
  here: readonly PlannedEpisode[];
  listener?: Pick<CampaignListener, 'phase'>;
}

/** The stage that the episodes of a campaign run on: worlds, agents, browsers, and what they keep to themselves. */
export interface CampaignStage {
  suites: readonly LoadedSuite[];
  entrants: Entrants;
  worlds: ReadonlyMap<string, SuiteWorld>;
  agents: CellAgents;
  browsers: WorkerBrowsers;
  identity: TlsIdentity;
  countTokens: CountTokens;
  redactor: Redactor;
  /** By suite. */
  credentials: ReadonlyMap<string, Credentials>;
  storedStates: StoredStates;
}

/**
 * Sets up what episodes run on, hands it to `use`, and takes it down.
 * @throws AgentError, WorldError or BrowserError naming what is not as it has to be.
 */
export async function onStage<T>(options: StageOptions, use: (stage: CampaignStage) => Promise<T>): Promise<T> {
  const { plan, suites, entrants, folder, pinned, here } = options;
  options.listener?.phase?.('trying the worlds');
  const worlds = await loadSuiteWorlds(suites);
  try {
    refuseOpenApps(here, worlds, entrants);
    const secrets = secretsOf(options);
    const agents = await CellAgents.make(pinned, { suites, entrants, bundle: folder, ...secrets });
    const identity = await tlsIdentityOfProcess();
    const countTokens = await loadTokenCounter();
    const tasks = [...new Set(here.map(({ planned }) => planned))];
    const setting = { identity, live: plan.live };
    await tryWorlds(tasks, worlds, setting, (what) => options.listener?.phase?.(what));
    const browsers = new WorkerBrowsers(browsersFor(options, identity));
    try {
      return await use({ suites, entrants, worlds, agents, browsers, identity, countTokens, ...secrets });
    } finally {
      await browsers.close();
    }
  } finally {
    for (const world of worlds.values()) closeSuiteWorld(world);
  }
}

/** Reads what a stage is made of, as `campaign.json` pins it. */
export async function pinsOf(stage: CampaignStage, { plan, pinned, proves, listener }: StageOptions): Promise<Pins> {
  listener?.phase?.('starting the browser');
  const identity = await stage.browsers.identity();
  const takingPart = plan.entrants.filter(({ agent, surface }) =>
    pinned.some((each) => each.agent === agent && each.surface === surface),
  );
  const { suites, entrants, worlds, agents } = stage;
  const read = { plan, suites, entrants, worlds, takingPart, transcripts: agents.transcriptHashes, browser: identity };
  return await campaignPins({ ...read, ...(proves === undefined ? {} : { proves }) });
}

/**
 * The secrets that logins need, by suite. Each is redacted wherever a campaign is run from, and so are the
 * credentials of a browser that is not ours: no caller can forget it.
 */
function secretsOf({
  suites,
  redactor,
  browserEndpoints = [],
}: StageOptions): Pick<CampaignStage, 'credentials' | 'storedStates' | 'redactor'> {
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

function browsersFor({ plan, browserEndpoints = [] }: StageOptions, { spki }: TlsIdentity): BrowserSource {
  if (browserEndpoints.length > 0) return { endpoints: browserEndpoints };
  return { binary: requireBrowser(plan.browser_kind), trustedSpki: spki };
}
