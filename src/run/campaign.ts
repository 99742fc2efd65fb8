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

/** What is to be run, from which suites and entrants, and where its bundle goes. It is made once and never changed. */
export interface Campaign {
  readonly plan: Plan;
  readonly suites: readonly LoadedSuite[];
  readonly entrants: Entrants;
  /** Names of the suites as they were given, for a later resume. */
  readonly suiteNames: readonly string[];
  readonly folder: string;
  /** Continues what is in the folder, which must be of the same plan. Absent: the folder is new. */
  readonly resume?: boolean;
  /** Cap in USD for all episodes together; null or absent: only the caps of each episode hold. */
  readonly maxUsd?: number | null;
  /** Number of episodes that run at once; absent: one. */
  readonly workers?: Workers | undefined;
  /** Addresses of browsers that we did not launch, one for each worker at most; absent or none: we launch our own. */
  readonly browserEndpoints?: readonly string[];
  readonly redactor: Redactor;
  /** Which part of the plan is run; absent: all of it. */
  readonly shard?: Shard | undefined;
  /** A part of an earlier campaign that is run again, and the pins it ran on. */
  readonly again?: { episodes: ReadonlySet<string>; pins: Pins };
  /** It makes a proof of qualification, and so rests on none. */
  readonly proves?: boolean;
  /** Runs the attempts on other machines; absent: they run here. */
  readonly remote?: Remote | undefined;
  readonly listener: CampaignListener;
  /** Fires when the campaign should end early; what is finished stays. */
  readonly signal: AbortSignal;
}

/** The bundle that attempts are recorded in, and the money that they share. */
export interface OpenBundle {
  campaign: CampaignFile;
  layout: BundleLayout;
  blobs: BlobStore;
  listener: Pick<CampaignListener, 'event' | 'worldNotClosed'>;
  /** Undefined: the campaign has no cap in USD, or another process holds the attempt's allowance. */
  budget?: MoneyBudget | undefined;
}

/** A campaign under way. */
export interface Running extends OpenBundle {
  episodes: readonly PlannedEpisode[];
  stage: CampaignStage;
  ledger: Ledger;
  progress: Progress;
  starts: Starts;
  watch: ProviderWatch;
  listener: CampaignListener;
  /** Fires when nothing may begin any more. */
  signal: AbortSignal;
}

/** Other processes that run attempts. Their records are written to the bundle here. */
export interface Remote {
  /** Most attempts that are under way at once. */
  workers: number;
  open(running: Running): Promise<AttemptRunner & { close(): Promise<void> }>;
}

/** Receives the progress of a campaign. */
export interface CampaignListener {
  /** What it is busy with, before the first episode or after the last. */
  phase?(what: string): void;
  /** The counted row of an episode that was done already; called before `planned`. */
  earlier?(row: Row): void;
  /** @param why what decides the number of workers, if none was asked for */
  planned?(total: number, done: number, workers: number, why?: string | null): void;
  /** A model has answered the question before the first episode. */
  askedFirst?(answer: AskedFirst): void;
  started?(episode: PlannedEpisode): void;
  event?(episode: PlannedEpisode, event: EpisodeEvent): void;
  /** The world of an episode did not close as it should; what was judged in it stands. */
  worldNotClosed?(episode: PlannedEpisode, why: string): void;
  /** A model's provider failed: the attempt is void, and the episode is attempted again. */
  interrupted?(episode: PlannedEpisode, why: string): void;
  /** The next episode of the same worker waits for what this returns. */
  finished?(row: Row): void | Promise<void>;
}
