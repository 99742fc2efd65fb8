import { mkdir, writeFile } from 'node:fs/promises';
import type { BrowserPool } from '../browser/pool.ts';
import type { BlobStore } from '../bundle/blobs.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Ledger } from '../bundle/ledger.ts';
import type { Row } from '../bundle/row.ts';
import type { WorldKind } from '../bundle/row-words.ts';
import { sealAttempt } from '../bundle/seal.ts';
import { canonicalJson } from '../contract/canonical.ts';
import type { EpisodeResult } from '../episode/result.ts';
import { runEpisode } from '../episode/run-episode.ts';
import { startLocalWorld } from '../world/local.ts';
import type { TlsIdentity } from '../world/tls-identity.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import type { CampaignFile } from './campaign-file.ts';
import { agentForCell, surfaceNamed } from './entrants.ts';
import type { PlannedEpisode } from './plan.ts';
import type { Finished } from './progress.ts';
import { type RowContext, rowOf, rowOfImpossible } from './row-of.ts';
import type { CampaignOptions } from './run-campaign.ts';
import type { SuiteWorld } from './suite-world.ts';

export interface RunnerOptions extends CampaignOptions {
  campaign: CampaignFile;
  layout: BundleLayout;
  ledger: Ledger;
  blobs: BlobStore;
  pool: BrowserPool;
  identity: TlsIdentity;
  worlds: Map<string, SuiteWorld>;
}

/** Runs single episodes of a campaign and seals what they leave. */
export class EpisodeRunner {
  readonly #options: RunnerOptions;
  #executed = 0;
  /** Requests that the browsers made on their own account, by host. */
  backgroundRequests: Record<string, number> = {};

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#executed = options.ledger.before.filter(({ kind }) => kind === 'started').length;
  }

  /** Attempts an episode until one counts: another only after an infrastructure error, and at most as many as planned. */
  async run(episode: PlannedEpisode, attemptsBefore: number): Promise<Finished> {
    this.#options.listener.started?.(episode);
    const { max_attempts: most } = this.#options.plan;
    for (let attempt = attemptsBefore + 1; ; attempt += 1) {
      const finished = await this.#attempt(episode, attempt, attempt - attemptsBefore >= most);
      if (!finished.row.counts) continue;
      await this.#options.listener.finished?.(finished.row);
      return finished;
    }
  }

  async #attempt(episode: PlannedEpisode, attempt: number, isLast: boolean): Promise<Finished> {
    const { campaign, layout, ledger, worlds, plan } = this.#options;
    const startedAt = new Date();
    const { planned, agent, surface, iteration } = episode;
    const stamp = startedAt.toISOString().replaceAll(/[-:.]/g, '');
    const runId = [stamp, agent, planned.task.id, surface, iteration].join('__');
    const worldKind = worldKindOf(worlds.get(planned.suite), planned.task.startUrl, plan.live);
    const context = { plan, pins: campaign.pins, campaignId: campaign.campaign_id, episode, worldKind, attempt, runId };
    await ledger.append({ kind: 'started', episode_id: episode.episodeId, attempt, run_id: runId });
    const chosen = await agentForCell(episode, this.#options.suites);
    const files = layout.attempt(episode.episodeId, attempt);
    await mkdir(files.folder, { recursive: true });
    let row: Row;
    if ('notApplicable' in chosen) {
      row = rowOfImpossible({ ...context, counts: true }, chosen.notApplicable);
    } else {
      const recorder = await AttemptRecorder.open({
        layout: files,
        blobs: this.#options.blobs,
        agent,
        date: startedAt.toISOString().slice(0, 10),
        onEvent: (event) => this.#options.listener.event?.(episode, event),
      });
      const executedIndex = this.#executed;
      this.#executed += 1;
      const result = await this.#play(episode, chosen.agent, recorder);
      await recorder.close();
      const counts = result.status !== 'infra_error' || isLast;
      const facts = { executedIndex, startedAt, endedAt: new Date(), artifacts: recorder.artifacts };
      row = rowOf({ ...context, counts } satisfies RowContext, result, facts);
    }
    await writeFile(files.row, `${canonicalJson(row)}\n`);
    const sealHash = await sealAttempt(files.folder, Object.values(row.artifacts));
    await ledger.append({ kind: 'sealed', episode_id: episode.episodeId, attempt, seal_hash: sealHash });
    return { row, sealHash };
  }

  async #play(
    { planned, surface }: PlannedEpisode,
    agent: Parameters<typeof runEpisode>[0]['agent'],
    sink: AttemptRecorder,
  ): Promise<EpisodeResult> {
    const { pool, plan, worlds, identity, redactor } = this.#options;
    const { task, screenshot_classes: screenshotClasses } = planned;
    const world = await startLocalWorld({
      sites: worlds.get(planned.suite)?.sites ?? [],
      parameters: task.instance?.parameters ?? {},
      identity,
      live: plan.live,
    });
    const lease = await pool.acquire(plan.isolation);
    try {
      const result = await runEpisode({
        task,
        agent,
        surface: surfaceNamed(surface),
        browser: lease.browser,
        world,
        sink,
        redactor,
        screenshotClasses,
        maxSteps: plan.max_steps,
        settleMs: plan.settle_ms,
      });
      this.#noteBackground(lease.browser.backgroundRequests());
      await lease.release(result.browserFit);
      return result;
    } catch (error) {
      await lease.release(false);
      throw error;
    } finally {
      await world.close();
    }
  }

  #noteBackground(refused: Record<string, number>): void {
    // A warm browser counts on; a fresh one starts anew. Either way the larger count is what was seen.
    for (const [host, count] of Object.entries(refused)) {
      this.backgroundRequests[host] = Math.max(this.backgroundRequests[host] ?? 0, count);
    }
  }
}

/**
 * A task is set on stand-ins when it starts on one, or on a blank page from which its agent may go to any. An episode on
 * an app of ours is called that, though a stand-in may be within reach.
 */
function worldKindOf(world: SuiteWorld | undefined, startUrl: string, live: boolean): WorldKind {
  const standIns = (world?.sites ?? []).filter(({ standIn }) => standIn).map(({ origin }) => origin);
  const isOnStandIn = startUrl === 'about:blank' ? standIns.length > 0 : standIns.includes(new URL(startUrl).origin);
  if (!isOnStandIn) return 'fixture_app';
  return live ? 'live_web' : 'facsimile';
}
