import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { BlobStore } from '../bundle/blobs.ts';
import { parseJson } from '../bundle/json-file.ts';
import { messageOf } from '../contract/message-of.ts';
import type { MoneyBudget } from '../episode/budget.ts';
import { fact } from '../messages/messages.ts';
import { CampaignFile } from '../plan/campaign-file.ts';
import { pinChanges } from '../plan/pin-changes.ts';
import type { Entrants } from '../plan/entrants.ts';
import { type Pins, againstPinned } from '../plan/pins.ts';
import { impossibleIn } from '../plan/possible-pair.ts';
import { episodesOf, planHash } from '../plan/plan.ts';
import type { Campaign } from '../run/campaign.ts';
import { openStage, pinsOf } from '../run/stage.ts';
import { codeHash, openKey, refusedKey } from './coordinate.ts';
import { PREFIX, type QueueConnection } from './connection.ts';
import { messageIn, OpenCampaign, type WorkerRefusal } from './messages.ts';
import { patiently } from './stores.ts';
import { QueueError } from './queue-error.ts';
import { runJobs } from './run-jobs.ts';

export interface ServeOptions {
  connection: QueueConnection;
  store: BlobStore;
  workers: number;
  /** After this long without a sign of a worker, its attempts are lost and run again. */
  lostAfterMs: number;
  /** Ends after this long without a campaign; null: never. */
  idleMs: number | null;
  /** The worker's own cap in USD, over all campaigns; absent: it has none. */
  budget?: MoneyBudget | undefined;
  signal: AbortSignal;
  note: (line: string) => void;
  /**
   * @param holdJobs keeps all workers of the campaign from taking a job for this long, in ms
   * @throws an error that names what this machine lacks
   */
  load: (campaign: CampaignFile, holdJobs: (ms: number) => void) => Promise<Campaign>;
}

const WORKER = `${hostname()}/${process.pid}`;
const LOOK_MS = 500;
const MAX_REFUSALS = 100;

/** Runs attempts of the campaigns that are open, one campaign after the other, until it is stopped or idle. */
export async function serve(options: ServeOptions): Promise<void> {
  const { signal, idleMs, note } = options;
  /** Sessions of coordinators that were refused. */
  const refused = new Set<string>();
  let idleSince = Date.now();
  note(`worker ${WORKER} waits for campaigns at ${options.connection.shown}`);
  while (!signal.aborted) {
    const open = (await openCampaigns(options)).find(({ session }) => !refused.has(session));
    if (open === undefined) {
      if (idleMs !== null && Date.now() - idleSince >= idleMs) return;
      await setTimeout(LOOK_MS, undefined, { signal }).catch(() => {});
      continue;
    }
    try {
      await serveCampaign(open, options);
    } catch (error) {
      refused.add(open.session);
      await refuse(open, messageOf(error), options);
    }
    idleSince = Date.now();
  }
}

async function openCampaigns({ connection: { client } }: ServeOptions): Promise<OpenCampaign[]> {
  const open: OpenCampaign[] = [];
  for await (const keys of client.scanStream({ match: openKey('*'), count: 1_000 })) {
    for (const key of Array.isArray(keys) ? keys : []) {
      const found = await readOpen(String(key), client);
      if (found !== null) open.push(found);
    }
  }
  return open.toSorted((a, b) => (a.campaign_id < b.campaign_id ? -1 : 1));
}

/** Returns null for an invalid campaign, which has no coordinator to report to. */
async function readOpen(key: string, client: QueueConnection['client']): Promise<OpenCampaign | null> {
  const text = await client.get(key);
  const open = text === null ? null : messageIn(OpenCampaign, text);
  return open !== null && openKey(open.campaign) === key ? open : null;
}

async function refuse(open: OpenCampaign, why: string, { connection: { client }, note }: ServeOptions): Promise<void> {
  const refusal: WorkerRefusal = { schema_version: 1, worker: WORKER.slice(0, 200), why };
  const key = refusedKey(open.campaign);
  await client.rpush(key, JSON.stringify(refusal));
  await client.ltrim(key, -MAX_REFUSALS, -1);
  await client.expire(key, 3_600);
  note(`nothing is run of campaign ${open.campaign_id}: ${why}`);
}

/** @throws an error with the reason why nothing of it can run here */
async function serveCampaign(open: OpenCampaign, options: ServeOptions): Promise<void> {
  const { store, connection, signal, note } = options;
  if (open.code !== (await codeHash())) throw new QueueError(fact('worker_code_differs'));
  const bytes = await patiently(() => store.get(open.campaign));
  const campaign = parseJson(bytes, CampaignFile, 'a campaign', `blob ${open.campaign}`);
  if (planHash(campaign.plan) !== campaign.plan_hash) throw new QueueError(fact('worker_plan_differs'));
  const shared = { connection: connection.client, prefix: PREFIX };
  const queue = new connection.bullmq.Queue(open.campaign, { ...shared, skipMetasUpdate: true });
  queue.on('error', () => {});
  const brought = await options.load(campaign, (ms) => {
    queue.rateLimit(ms).catch((error: unknown) => note(`the queue: ${messageOf(error)}`));
  });
  const episodes = episodesOf(campaign.plan);
  await using stage = await openStage(brought, episodes, episodes);
  const own = await pinsOf(stage);
  refuseOtherPins(campaign, own);
  refuseImpossible(campaign, own, brought.entrants);
  note(`campaign ${open.campaign_id}: ${options.workers} at once`);
  const jobs = await runJobs(stage, { ...options, campaign, key: open.campaign, episodes });
  try {
    while (!signal.aborted && (await connection.client.exists(openKey(open.campaign))) === 1) {
      const why = jobs.refused();
      if (why !== null) throw why;
      await setTimeout(LOOK_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    await jobs.close();
    // BullMQ's look for stalled jobs writes this key again if the campaign has just ended.
    await connection.client.expire(queue.toKey('meta'), 600);
  }
  note(`campaign ${open.campaign_id}: done`);
}

/**
 * Only the processor may differ, and whether this worker launched its browser, which rows record.
 */
function refuseOtherPins({ pins }: CampaignFile, own: Pins): void {
  const browser = againstPinned(own.browser, pins.browser) === 'stand_in' ? pins.browser : own.browser;
  const changed = pinChanges({ ...pins, cpu: '' }, { ...own, browser, cpu: '' });
  if (changed.length > 0) throw new QueueError(fact('worker_pins_differ', { changes: changed.join('; ') }));
}

/** Refuses a surface that only the coordinator can run: its episodes would seem to fail by their agents' fault. */
function refuseImpossible({ plan, pins }: CampaignFile, own: Pins, entrants: Entrants): void {
  for (const surface of new Set(plan.entrants.map((each) => entrants.surface(each.surface)))) {
    const impossible = impossibleIn(own.browser, surface);
    if (impossible !== null && impossibleIn(pins.browser, surface) === null) {
      throw new QueueError(fact('worker_lacks_surface', { surface: surface.id, why: impossible.why }));
    }
  }
}
