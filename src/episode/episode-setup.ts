import type { Protocol } from 'devtools-protocol';
import type { Agent, SelfDrivingAgent } from '../agent/agent.ts';
import type { JudgedBrowser } from '../browser/judged-browser.ts';
import type { ScreenshotClasses } from '../contract/assertion-kind.ts';
import type { Evidence } from '../contract/evidence.ts';
import type { TaskJudgement } from '../contract/judge-task.ts';
import type { Status, Stop } from '../contract/status.ts';
import type { ArmedFault } from '../fault/schema.ts';
import type { Surface } from '../surface/surface.ts';
import type { Caps } from '../task/caps.ts';
import type { GivenFile } from '../task/given-files.ts';
import type { Task } from '../task/schema.ts';
import type { TracePolicy } from '../task/trace-policy.ts';
import type { World } from '../world/world-proxy.ts';
import type { MoneyBudget } from './budget.ts';
import type { EpisodeEvent } from './events.ts';

/** The record of an episode. It alone knows the secrets. */
export interface EventSink {
  /** Writes an event at once, with placeholders for secrets. */
  event(event: EpisodeEvent): void;
  /** Replaces the secrets in a text or JSON value that is judged, hashed or cut before it is written. */
  clean<T>(value: T): T;
  /**
   * Stores evidence without waiting for the disk; closing the sink reports what failed.
   * @throws Error when it is more than can be read again.
   */
  evidence(moment: 'start' | 'end', evidence: Evidence): void;
  /** Stores the trace of the attempt, a zip, and returns its SHA-256. Absent: no trace is kept. */
  trace?(zip: Buffer): Promise<string>;
  /** Stores a picture of the film and returns its SHA-256. Absent: no film is kept. */
  picture?(jpeg: Buffer): string;
}

/** The cookies of a user who is signed in. */
export type StoredState = readonly Protocol.Network.CookieParam[];

export interface EpisodeSetup {
  task: Task;
  agent: Agent | SelfDrivingAgent;
  surface: Surface;
  browser: JudgedBrowser;
  /** A browser that no entrant has reached, in which the judge loads pages; absent or null: `browser` is used. */
  untouched?: () => Promise<JudgedBrowser | null>;
  /** Freshly reset. The caller closes it. */
  world: World;
  sink: EventSink;
  /** Counts the tokens of tool lists and replies; absent: they are not counted. */
  countTokens?: (text: string) => number;
  screenshotClasses?: ScreenshotClasses;
  /** For agents that draw lots: the same when this episode is run again. */
  seed?: string;
  /** Absent: those of the task. */
  caps?: Caps;
  /** Which of Playwright's traces are kept; absent: none. */
  trace?: TracePolicy;
  /** Whether a picture is kept of each step. */
  film?: boolean;
  /** Time to wait before each step, for people who watch. */
  slowMs?: number | undefined;
  fault?: ArmedFault | null;
  /** Absent: the episode begins signed out. */
  storedState?: StoredState;
  /** Files that the task gives to its agent; absent: none. */
  files?: readonly GivenFile[];
  /** The money that all episodes of a campaign share; absent: only the caps of the episode hold. */
  budget?: MoneyBudget | undefined;
  /** Time between two captures that must agree, in ms. */
  settleMs?: number;
}

/** The result of an episode; its events hold everything else. */
export interface EpisodeResult {
  status: Status;
  stop: Stop;
  /** Why it stopped; null if there is nothing to add. */
  detail: string | null;
  /** The judgement of the end, or else of the start; null when nothing was judged. */
  judged: TaskJudgement | null;
  browserFit: boolean;
}
