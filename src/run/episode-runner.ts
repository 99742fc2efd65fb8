import type { Agent, SelfDrivingAgent } from '../agent/agent.ts';
import type { BrowserPool } from '../browser/pool.ts';
import type { BlobStore } from '../bundle/blobs.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Ledger } from '../bundle/ledger.ts';
import type { Row } from '../bundle/row.ts';
import { type SealedRow, sealRow } from '../bundle/sealed-rows.ts';
import { hashJson } from '../contract/canonical.ts';
import { messageOf } from '../contract/message-of.ts';
import type { Redactor } from '../bundle/redact.ts';
import type { ArmedFault } from '../fault/schema.ts';
import { type SignIn, signInWith } from '../task/auth.ts';
import { type Credentials, withCredentials } from '../task/credentials.ts';
import { taskName } from '../task/instance.ts';
import type { Task } from '../task/schema.ts';
import type { CountTokens } from './token-counter.ts';
import { type EpisodeResult, NOT_BEGUN } from '../episode/result.ts';
import { runEpisode } from '../episode/run-episode.ts';
import type { StoredState } from '../episode/stored-state.ts';
import { signIn } from '../episode/sign-in.ts';
import { WorldError } from '../world/error.ts';
import type { TlsIdentity } from '../world/tls-identity.ts';
import type { World } from '../world/world.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import type { CellAgents } from './cell-agents.ts';
import { type Entrants, isolationFor } from '../plan/entrants.ts';
import type { CampaignListener } from './listener.ts';
import { limitsOf, type PlannedEpisode } from '../plan/plan.ts';
import { faultOf } from '../plan/planned-fault.ts';
import { type AttemptFacts, type RowContext, rowOf, rowOfImpossible, stampOf } from '../row/row-of.ts';
import type { SignedIn, StoredStates } from './stored-states.ts';
import { strikableOf } from '../plan/strikable.ts';
import { unavailableWith } from '../plan/unavailable.ts';
import { archiveHashOf, raiseWorld, type SuiteWorld, worldKindOf } from './suite-world.ts';

export interface RunnerOptions {
  campaign: CampaignFile;
  entrants: Entrants;
  agents: CellAgents;
  worlds: ReadonlyMap<string, SuiteWorld>;
  layout: BundleLayout;
  ledger: Ledger;
  blobs: BlobStore;
  pool: BrowserPool;
  identity: TlsIdentity;
  redactor: Redactor;
  /** By suite. */
  credentials: ReadonlyMap<string, Credentials>;
  /** The roles that are signed in so far. */
  storedStates: StoredStates;
  countTokens: CountTokens;
  listener: CampaignListener;
}

/** Attempts that an episode has had already, in runs that were ended early. */
export interface EarlierAttempts {
  started: number;
  infraErrors: number;
}

/** Who acts in an episode, and what goes wrong in it. */
interface Part {
  agent: Agent | SelfDrivingAgent;
  fault: ArmedFault | null;
}

/** An episode whose world did not rise, though it did before the campaign began. No entrant has been asked anything. */
const WITHOUT_WORLD = {
  ...NOT_BEGUN,
  status: 'infra_error',
  stop: 'infra_error',
} as const satisfies Omit<EpisodeResult, 'detail'>;

/** What an episode came to, and what was found out beside it. */
interface Ran extends Pick<AttemptFacts, 'auth'> {
  result: EpisodeResult;
}

/** An episode whose world or role is not there; nobody has been asked anything. */
function notBegun(sink: AttemptRecorder, detail: string): Ran {
  sink.event({ type: 'stop', stop: 'infra_error', detail, answer: null });
  return { result: { ...WITHOUT_WORLD, detail }, auth: null };
}

function authOf({ auth }: Task, signedIn: SignedIn | null): AttemptFacts['auth'] {
  if (auth?.by !== 'stored_state') return auth ?? null;
  return signedIn === null ? null : { ...auth, setup_ms: Math.round(signedIn.setupMs * 10) / 10 };
}

/** The world, or why it did not rise. */
async function raise(rising: Promise<World>): Promise<World | { detail: string }> {
  try {
    return await rising;
  } catch (error) {
    if (error instanceof WorldError) return { detail: error.message };
    throw error;
  }
}

/** Runs single episodes of a campaign and seals what they leave. */
export class EpisodeRunner {
  readonly #options: RunnerOptions;
  #executed: number;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#executed = options.ledger.before.filter(({ kind }) => kind === 'started').length;
  }

  /** Attempts an episode until one counts: another only after an infrastructure error, and at most as many as planned. */
  async run(episode: PlannedEpisode, { started, infraErrors }: EarlierAttempts): Promise<SealedRow> {
    this.#options.listener.started?.(episode);
    const most = this.#options.campaign.plan.max_attempts;
    for (let attempt = started + 1, errors = infraErrors + 1; ; attempt += 1, errors += 1) {
      const sealed = await this.#attempt(episode, attempt, errors >= most);
      if (!sealed.row.counts) continue;
      await this.#options.listener.finished?.(sealed.row);
      return sealed;
    }
  }

  async #attempt(episode: PlannedEpisode, attempt: number, isLast: boolean): Promise<SealedRow> {
    const { layout, ledger } = this.#options;
    const { episodeId } = episode;
    const startedAt = new Date();
    const context = this.#rowContext(episode, attempt, startedAt);
    await ledger.append({ kind: 'started', episode_id: episodeId, attempt, run_id: context.runId });
    const row = await this.#rowOf(episode, context, startedAt, isLast);
    const sealHash = await sealRow(layout.attempt(episodeId, attempt), row);
    await ledger.append({ kind: 'sealed', episode_id: episodeId, attempt, seal_hash: sealHash });
    return { row, sealHash };
  }

  async #rowOf(
    episode: PlannedEpisode,
    context: Omit<RowContext, 'counts'>,
    startedAt: Date,
    isLast: boolean,
  ): Promise<Row> {
    const chosen = this.#options.agents.of(episode);
    const unavailable = unavailableWith(this.#options.entrants.surface(episode.surface), context.pins.browser);
    if (!('agent' in chosen)) {
      return rowOfImpossible({ ...context, counts: true }, 'not_applicable', chosen.notApplicable);
    }
    if (unavailable !== null) return rowOfImpossible({ ...context, counts: true }, 'unavailable', unavailable);
    const { entrants, campaign } = this.#options;
    const entrant = strikableOf(entrants.agent(episode.agent), entrants.surface(episode.surface));
    const fault = faultOf(episode, campaign.plan, entrant);
    if ('impossible' in fault) return rowOfImpossible({ ...context, counts: true }, 'not_applicable', fault.impossible);
    return await this.#execute(episode, { agent: chosen.agent, fault: fault.armed }, context, startedAt, isLast);
  }

  #rowContext(episode: PlannedEpisode, attempt: number, startedAt: Date): Omit<RowContext, 'counts'> {
    const { plan, pins, campaign_id: campaignId } = this.#options.campaign;
    const { planned, agent, surface, iteration } = episode;
    const struck = planned.fault === undefined ? '' : `+${planned.fault.id}`;
    const runId = [stampOf(startedAt), agent, `${taskName(planned.task)}${struck}`, surface, iteration].join('__');
    const suiteWorld = this.#worldOf(episode);
    const worldKind = worldKindOf(suiteWorld, planned.task.startUrl, plan.live);
    const archiveHash = archiveHashOf(suiteWorld, plan.live);
    const { entrants } = this.#options;
    const { decider, model: usual } = entrants.agent(agent);
    const chosen = this.#options.agents.of(episode);
    const model = ('agent' in chosen ? chosen.model : null) ?? usual ?? null;
    const entrant = { decider, surface: entrants.surface(surface), model };
    return { plan, pins, campaignId, episode, entrant, worldKind, archiveHash, attempt, runId };
  }

  #worldOf({ planned: { suite } }: PlannedEpisode): SuiteWorld {
    const world = this.#options.worlds.get(suite);
    if (world === undefined) throw new Error(`suite ${suite} is in the plan and has no world`);
    return world;
  }

  async #execute(
    episode: PlannedEpisode,
    part: Part,
    context: Omit<RowContext, 'counts'>,
    startedAt: Date,
    isLast: boolean,
  ): Promise<Row> {
    const { layout, blobs, redactor, listener } = this.#options;
    const recorder = await AttemptRecorder.open({
      layout: layout.attempt(episode.episodeId, context.attempt),
      blobs,
      redactor,
      agent: part.agent.id,
      date: startedAt.toISOString().slice(0, 10),
      onEvent: (event) => listener.event?.(episode, event),
    });
    const executedIndex = this.#executed;
    this.#executed += 1;
    const { result, ...ran } = await this.#runEpisode(episode, part, recorder);
    await recorder.close();
    const counts = result.status !== 'infra_error' || isLast;
    const facts = { ...ran, executedIndex, startedAt, endedAt: new Date(), artifacts: recorder.artifacts };
    return rowOf({ ...context, counts }, result, facts);
  }

  async #runEpisode(episode: PlannedEpisode, { agent, fault }: Part, sink: AttemptRecorder): Promise<Ran> {
    const { pool, campaign, identity, countTokens, entrants } = this.#options;
    const { plan } = campaign;
    const role = await this.#signedIn(episode);
    if (role !== null && 'failure' in role) return notBegun(sink, role.failure);
    const surface = entrants.surface(episode.surface);
    const { suite, screenshot_classes: screenshotClasses } = episode.planned;
    const task = withCredentials(episode.planned.task, this.#options.credentials.get(suite) ?? {});
    const lease = await pool.acquire(isolationFor(surface, plan.isolation));
    let isFit = false;
    try {
      const world = await raise(raiseWorld(this.#worldOf(episode), task, { identity, live: plan.live }));
      if ('detail' in world) {
        isFit = true;
        return notBegun(sink, world.detail);
      }
      try {
        const result = await runEpisode({
          task,
          agent,
          surface,
          browser: lease.browser,
          untouched: () => pool.untouched(),
          world,
          sink,
          countTokens,
          screenshotClasses,
          seed: hashJson([plan.seed, episode.planned.suite, task.id, episode.iteration]),
          limits: limitsOf(plan),
          settleMs: plan.settle_ms,
          trace: plan.trace ?? 'off',
          fault,
          ...(role === null ? {} : { storedState: role.state }),
        });
        isFit = result.browserFit;
        return { result, auth: authOf(task, role) };
      } finally {
        await this.#close(world, episode);
      }
    } finally {
      await lease.release(isFit);
    }
  }

  /** What was judged stays judged, and who is signed in stays so. */
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
