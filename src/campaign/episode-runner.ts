import type { Agent, SelfDrivingAgent } from '../agent/agent.ts';
import type { BrowserPool } from '../browser/pool.ts';
import type { BlobStore } from '../bundle/blobs.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Ledger } from '../bundle/ledger.ts';
import type { Row } from '../bundle/row.ts';
import { type SealedRow, sealRow } from '../bundle/sealed-rows.ts';
import { hashJson } from '../contract/canonical.ts';
import { messageOf } from '../contract/message-of.ts';
import type { Redactor } from '../episode/ports.ts';
import { taskName } from '../task/instance.ts';
import type { CountTokens } from './token-counter.ts';
import { type EpisodeResult, NOT_BEGUN } from '../episode/result.ts';
import { runEpisode } from '../episode/run-episode.ts';
import { WorldError } from '../world/error.ts';
import type { TlsIdentity } from '../world/tls-identity.ts';
import type { Nac3Served } from '../world/nac3-files.ts';
import type { World } from '../world/world.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import type { CampaignFile } from './campaign-file.ts';
import type { CellAgents } from './cell-agents.ts';
import { type Entrants, isolationFor } from './entrants.ts';
import type { CampaignListener } from './listener.ts';
import { capsOfPlan, type PlannedEpisode } from './plan.ts';
import { type RowContext, rowOf, rowOfImpossible } from './row-of.ts';
import { unavailableWith } from './unavailable.ts';
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
  countTokens: CountTokens;
  listener: CampaignListener;
}

/** Attempts that an episode has had already, in runs that were ended early. */
export interface EarlierAttempts {
  started: number;
  infraErrors: number;
}

/** An episode whose world did not rise, though it did before the campaign began. No entrant has been asked anything. */
const WITHOUT_WORLD = {
  ...NOT_BEGUN,
  status: 'infra_error',
  stop: 'infra_error',
} as const satisfies Omit<EpisodeResult, 'detail'>;

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
    return await this.#execute(episode, chosen.agent, context, startedAt, isLast);
  }

  #rowContext(episode: PlannedEpisode, attempt: number, startedAt: Date): Omit<RowContext, 'counts'> {
    const { plan, pins, campaign_id: campaignId } = this.#options.campaign;
    const { planned, agent, surface, iteration } = episode;
    const stamp = startedAt.toISOString().replaceAll(/[-:.]/g, '');
    const runId = [stamp, agent, taskName(planned.task), surface, iteration].join('__');
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
    agent: Agent | SelfDrivingAgent,
    context: Omit<RowContext, 'counts'>,
    startedAt: Date,
    isLast: boolean,
  ): Promise<Row> {
    const { layout, blobs, listener } = this.#options;
    const recorder = await AttemptRecorder.open({
      layout: layout.attempt(episode.episodeId, context.attempt),
      blobs,
      agent: agent.id,
      date: startedAt.toISOString().slice(0, 10),
      onEvent: (event) => listener.event?.(episode, event),
    });
    const executedIndex = this.#executed;
    this.#executed += 1;
    const { result, nac3 } = await this.#runEpisode(episode, agent, recorder);
    await recorder.close();
    const counts = result.status !== 'infra_error' || isLast;
    const facts = { nac3, executedIndex, startedAt, endedAt: new Date(), artifacts: recorder.artifacts };
    return rowOf({ ...context, counts }, result, facts);
  }

  async #runEpisode(
    episode: PlannedEpisode,
    agent: Agent | SelfDrivingAgent,
    sink: AttemptRecorder,
  ): Promise<{ result: EpisodeResult; nac3: Nac3Served }> {
    const { pool, campaign, identity, redactor, countTokens, entrants, listener } = this.#options;
    const { plan } = campaign;
    const surface = entrants.surface(episode.surface);
    const { task, screenshot_classes: screenshotClasses } = episode.planned;
    const lease = await pool.acquire(isolationFor(surface, plan.isolation));
    let isFit = false;
    try {
      const world = await raise(raiseWorld(this.#worldOf(episode), task, { identity, live: plan.live }));
      if ('detail' in world) {
        isFit = true;
        sink.event({ type: 'stop', stop: 'infra_error', detail: world.detail, answer: null });
        return {
          result: { ...WITHOUT_WORLD, detail: world.detail },
          nac3: { manifestChecksum: null, runtimeHash: null },
        };
      }
      try {
        const result = await runEpisode({
          task,
          agent,
          surface,
          browser: lease.browser,
          world,
          sink,
          redactor,
          countTokens,
          screenshotClasses,
          seed: hashJson([plan.seed, episode.planned.suite, task.id, episode.iteration]),
          ...capsOfPlan(plan),
          settleMs: plan.settle_ms,
          trace: plan.trace ?? 'off',
        });
        isFit = result.browserFit;
        return { result, nac3: world.nac3() };
      } finally {
        // What was judged stays judged.
        await world.close().catch((error: unknown) => listener.worldNotClosed?.(episode, messageOf(error)));
      }
    } finally {
      await lease.release(isFit);
    }
  }
}
