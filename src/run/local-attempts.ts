import type { Agent, SelfDrivingAgent } from '../agent/agent.ts';
import type { BrowserIdentity } from '../browser/judged-browser.ts';
import type { BrowserPool } from '../browser/pool.ts';
import type { BlobStore } from '../bundle/blobs.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import { hashJson } from '../contract/canonical.ts';
import { messageOf } from '../contract/message-of.ts';
import type { Redactor } from '../bundle/redact.ts';
import type { ArmedFault } from '../fault/schema.ts';
import { type SignIn, signInWith, type Credentials, withCredentials } from '../task/auth.ts';
import { traitsOf } from '../surface/traits.ts';
import type { Task } from '../task/schema.ts';
import type { CountTokens } from './token-counter.ts';
import { runEpisode } from '../episode/run-episode.ts';
import type { StoredState } from '../episode/episode-setup.ts';
import { signIn } from '../episode/sign-in.ts';
import { WorldError } from '../world/error.ts';
import type { TlsIdentity } from '../world/tls-identity.ts';
import type { World } from '../world/way-in.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import type { AttemptRunner, Begin } from './attempt-runner.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import type { CellAgents } from './cell-agents.ts';
import { type Entrants, isolationFor } from '../plan/entrants.ts';
import type { CampaignListener } from './listener.ts';
import type { Pins } from '../plan/pins.ts';
import { limitsOf, type PlannedEpisode } from '../plan/plan.ts';
import { faultOf } from '../plan/planned-fault.ts';
import type { Recorded } from '../row/recorded.ts';
import type { SignedIn, StoredStates } from './stored-states.ts';
import type { MoneyBudget } from '../episode/budget.ts';
import { injectableOf } from '../plan/injectable.ts';
import { againstPinned } from '../plan/stand-in.ts';
import { impossibleIn } from '../plan/impossible-in.ts';
import { raiseWorld, type SuiteWorld } from './suite-world.ts';

export interface LocalOptions {
  campaign: Pick<CampaignFile, 'plan' | 'pins'>;
  entrants: Entrants;
  agents: CellAgents;
  worlds: ReadonlyMap<string, SuiteWorld>;
  layout: BundleLayout;
  blobs: BlobStore;
  pool: BrowserPool;
  identity: TlsIdentity;
  redactor: Redactor;
  /** By suite. */
  credentials: ReadonlyMap<string, Credentials>;
  /** The roles that are signed in so far. */
  storedStates: StoredStates;
  countTokens: CountTokens;
  /** Absent or undefined: the campaign has no cap in USD, or another process holds the attempt's allowance. */
  budget?: MoneyBudget | undefined;
  listener: Pick<CampaignListener, 'event' | 'worldNotClosed'>;
}

/** Who acts in an episode, and what goes wrong in it. */
interface Part {
  agent: Agent | SelfDrivingAgent;
  fault: ArmedFault | null;
}

/** Tells of an episode whose world or role is not there, though the world was before the campaign began; nobody has been asked anything. */
function notBegun(sink: AttemptRecorder, detail: string): void {
  sink.event({ type: 'stop', stop: 'infra_error', detail, answer: null });
}

/** Tells how one is signed in; nothing where nobody has to be. */
function tellSignedIn(sink: AttemptRecorder, { auth }: Task, role: SignedIn | null): void {
  if (auth !== undefined) sink.event({ type: 'signed_in', setup_ms: role?.setupMs ?? null });
}

/** Tells of a browser that is not the pinned one. False where it cannot stand in for that: nothing is run in it. */
function tellBrowser(sink: AttemptRecorder, browser: BrowserIdentity, pinned: Pins['browser']): boolean {
  const standing = againstPinned(browser, pinned);
  if (standing === 'stand_in') sink.event({ type: 'browser_not_ours' });
  if (standing !== 'other') return true;
  notBegun(sink, `the browser has changed since the campaign began: it is ${browser.name} ${browser.version} now`);
  return false;
}

async function raise(rising: Promise<World>): Promise<World | { detail: string }> {
  try {
    return await rising;
  } catch (error) {
    if (error instanceof WorldError) return { detail: error.message };
    throw error;
  }
}

/** Runs attempts in a browser and a world of this process, one at a time. Several share all but world and browsers. */
export class LocalAttempts implements AttemptRunner {
  readonly #options: LocalOptions;

  constructor(options: LocalOptions) {
    this.#options = options;
  }

  async run(episode: PlannedEpisode, attempt: number, begin: Begin): Promise<Recorded> {
    const { layout, blobs, redactor, listener } = this.#options;
    const begun = performance.now();
    const { startedAt } = await begin();
    const recorder = await AttemptRecorder.open({
      layout: layout.attempt(episode.episodeId, attempt),
      blobs,
      redactor,
      agent: episode.agent,
      startedAt,
      begun,
      onEvent: (event) => listener.event?.(episode, event),
    });
    await this.#record(episode, recorder);
    await recorder.close();
    return recorder.recorded;
  }

  /** Runs an attempt, and tells all that comes of it; or tells why its cell cannot be run. */
  async #record(episode: PlannedEpisode, sink: AttemptRecorder): Promise<void> {
    const { agents, entrants, campaign } = this.#options;
    const chosen = agents.of(episode);
    const surface = entrants.surface(episode.surface);
    if (!('agent' in chosen)) {
      sink.event({ type: 'impossible', status: 'not_applicable', why: chosen.notApplicable });
      return;
    }
    const impossible = impossibleIn(campaign.pins.browser, surface);
    if (impossible !== null) {
      sink.event({ type: 'impossible', ...impossible });
      return;
    }
    const fault = faultOf(episode, campaign.plan, injectableOf(traitsOf(surface)));
    if ('impossible' in fault) {
      sink.event({ type: 'impossible', status: 'not_applicable', why: fault.impossible });
      return;
    }
    if (chosen.model?.endpoint_kind === 'cassette') {
      const { model_id, model_endpoint } = chosen.model;
      sink.event({ type: 'replayed', model_id, model_endpoint });
    }
    await this.#runEpisode(episode, { agent: chosen.agent, fault: fault.armed }, sink);
  }

  #worldOf({ planned: { suite } }: PlannedEpisode): SuiteWorld {
    const world = this.#options.worlds.get(suite);
    if (world === undefined) throw new Error(`suite ${suite} is in the plan and has no world`);
    return world;
  }

  async #runEpisode(episode: PlannedEpisode, { agent, fault }: Part, sink: AttemptRecorder): Promise<void> {
    const { pool, campaign, identity, countTokens, entrants } = this.#options;
    const { plan } = campaign;
    const role = await this.#signedIn(episode);
    if (role !== null && 'failure' in role) {
      notBegun(sink, role.failure);
      return;
    }
    const surface = entrants.surface(episode.surface);
    const { suite, screenshot_classes: screenshotClasses } = episode.planned;
    const task = withCredentials(episode.planned.task, this.#options.credentials.get(suite) ?? {});
    const lease = await pool.acquire(isolationFor(surface, plan.isolation));
    let isFit = false;
    try {
      if (!tellBrowser(sink, lease.browser.identity, campaign.pins.browser)) return;
      const world = await raise(raiseWorld(this.#worldOf(episode), task, { identity, live: plan.live }));
      if ('detail' in world) {
        isFit = true;
        notBegun(sink, world.detail);
        return;
      }
      try {
        tellSignedIn(sink, task, role);
        const { browserFit } = await runEpisode({
          task,
          agent,
          surface,
          browser: lease.browser,
          untouched: () => pool.untouched(),
          world,
          sink,
          countTokens,
          screenshotClasses,
          budget: this.#options.budget,
          seed: hashJson([plan.seed, episode.planned.suite, task.id, episode.iteration]),
          limits: limitsOf(plan),
          settleMs: plan.settle_ms,
          trace: plan.trace ?? 'off',
          film: plan.film ?? false,
          fault,
          ...(role === null ? {} : { storedState: role.state }),
        });
        isFit = browserFit;
      } finally {
        await this.#close(world, episode);
      }
    } finally {
      await lease.release(isFit);
    }
  }

  /** Every verdict stays, and who is signed in stays so. */
  async #close(world: World, episode: PlannedEpisode): Promise<void> {
    const { listener, redactor } = this.#options;
    await world.close().catch((error: unknown) => listener.worldNotClosed?.(episode, redactor.text(messageOf(error))));
  }

  /** The role as which the episode begins; null where it begins as nobody, and a failure where it cannot be signed in. */
  async #signedIn(episode: PlannedEpisode): Promise<SignedIn | { failure: string } | null> {
    const { task, suite, sign_in: signInOf } = episode.planned;
    if (task.auth?.by !== 'stored_state' || signInOf === undefined) return null;
    const { role } = task.auth;
    const { storedStates, redactor } = this.#options;
    const signedIn = await storedStates.of(`${suite} ${role}`, () => this.#signIn(episode, signInOf));
    if (!('failure' in signedIn)) return signedIn;
    return { failure: redactor.text(`the role ${role} cannot be signed in: ${signedIn.failure}`) };
  }

  async #signIn(episode: PlannedEpisode, placeheld: SignIn): Promise<{ state: StoredState } | { failure: string }> {
    const { credentials, identity, campaign, pool } = this.#options;
    const own = credentials.get(episode.planned.suite) ?? {};
    const task = withCredentials(episode.planned.task, own);
    const lease = await pool.acquire('context');
    let isFit = false;
    try {
      const world = await raise(raiseWorld(this.#worldOf(episode), task, { identity, live: campaign.plan.live }));
      if ('detail' in world) {
        isFit = true;
        return { failure: world.detail };
      }
      try {
        const made = await signIn({ signIn: signInWith(placeheld, own), task, browser: lease.browser, world });
        isFit = made.browserFit;
        return made;
      } finally {
        await this.#close(world, episode);
      }
    } finally {
      await lease.release(isFit);
    }
  }
}
