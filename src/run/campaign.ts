import type { BlobStore } from '../bundle/blobs.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Ledger } from '../bundle/ledger.ts';
import type { Redactor } from '../bundle/redact.ts';
import type { MoneyBudget } from '../episode/budget.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import type { Entrants } from '../plan/entrants.ts';
import type { Pins } from '../plan/pins.ts';
import type { Plan, PlannedEpisode } from '../plan/plan.ts';
import type { Shard } from '../plan/shard.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import type { AttemptRunner, Starts } from './episode-runner.ts';
import type { Progress } from './progress.ts';
import type { ProviderWatch, AskedFirst } from './provider-watch.ts';
import type { CampaignStage } from './stage.ts';
import type { Workers } from './worker-count.ts';
import type { Row } from '../bundle/row.ts';
import type { EpisodeEvent } from '../episode/events.ts';

/** A plan, its suites and entrants, and how and where to run it. */
export interface Campaign {
  readonly plan: Plan;
  readonly suites: readonly LoadedSuite[];
  readonly entrants: Entrants;
  /** Names of the suites as the user gave them, for a later resume. */
  readonly suiteNames: readonly string[];
  readonly folder: string;
  /** Whether it continues a run of the same plan in the folder. */
  readonly resume?: boolean;
  /** Cap in USD for all episodes together; null or absent: only the caps of each episode apply. */
  readonly maxUsd?: number | null;
  /** Episodes that run at once; absent: one. */
  readonly workers?: Workers | undefined;
  /** Addresses of browsers that we did not launch, one for each worker at most; absent or none: we launch our own. */
  readonly browserEndpoints?: readonly string[];
  readonly redactor: Redactor;
  /** The part of the plan that is run; absent: all of it. */
  readonly shard?: Shard | undefined;
  /** Episodes of an earlier campaign that are run again, and its pins. */
  readonly again?: { episodes: ReadonlySet<string>; pins: Pins };
  /** Whether it makes a proof of qualification, and so needs none. */
  readonly proves?: boolean;
  /** Runs the attempts on other machines; absent: they run here. */
  readonly remote?: Remote | undefined;
  readonly listener: CampaignListener;
  /** Ends the campaign early; finished episodes stay. */
  readonly signal: AbortSignal;
}

/** The bundle that attempts are recorded in, and their shared money. */
export interface OpenBundle {
  campaign: CampaignFile;
  layout: BundleLayout;
  blobs: BlobStore;
  listener: Pick<CampaignListener, 'event' | 'worldNotClosed'>;
  /** Undefined: the campaign has no cap in USD, or another process holds the attempt's allowance. */
  budget?: MoneyBudget | undefined;
}

export interface Running extends OpenBundle {
  episodes: readonly PlannedEpisode[];
  stage: CampaignStage;
  ledger: Ledger;
  progress: Progress;
  starts: Starts;
  watch: ProviderWatch;
  listener: CampaignListener;
  /** Fires when no more attempts may begin. */
  signal: AbortSignal;
}

/** Other processes that run attempts. This one writes their records to the bundle. */
export interface Remote {
  /** Most attempts at once. */
  workers: number;
  open(running: Running): Promise<AttemptRunner & { close(): Promise<void> }>;
}

export interface CampaignListener {
  /** Work before the first episode or after the last. */
  phase?(what: string): void;
  /** The row of an episode that an earlier run has finished; called before `planned`. */
  earlier?(row: Row): void;
  /** @param why what decides the number of workers if the user gave none */
  planned?(total: number, done: number, workers: number, why?: string | null): void;
  askedFirst?(answer: AskedFirst): void;
  started?(episode: PlannedEpisode): void;
  event?(episode: PlannedEpisode, event: EpisodeEvent): void;
  /** The world of an episode did not close; its verdict stands. */
  worldNotClosed?(episode: PlannedEpisode, why: string): void;
  /** The attempt is void, since a model's provider failed or a worker was lost, and the episode is attempted again. */
  interrupted?(episode: PlannedEpisode, why: string): void;
  /** The worker's next episode waits for the promise. */
  finished?(row: Row): void | Promise<void>;
}
