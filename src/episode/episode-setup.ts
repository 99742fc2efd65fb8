import type { Agent, SelfDrivingAgent } from '../agent/agent.ts';
import type { JudgedBrowser } from '../browser/judged-browser.ts';
import type { ScreenshotClasses } from '../contract/assertion-kind.ts';
import type { ArmedFault } from '../fault/schema.ts';
import type { Surface } from '../surface/surface.ts';
import type { Caps } from '../task/caps.ts';
import type { Task } from '../task/schema.ts';
import type { TracePolicy } from '../task/trace-policy.ts';
import type { World } from '../world/way-in.ts';
import type { EventSink } from './ports.ts';
import type { MoneyBudget } from './budget.ts';
import type { Protocol } from 'devtools-protocol';
import type { Status, Stop } from '../contract/status.ts';
import type { TaskJudgement } from '../contract/judge-task.ts';

/** The cookies by which a user is known again. */
export type StoredState = readonly Protocol.Network.CookieParam[];

/** All that an episode is run with. */
export interface EpisodeSetup {
  task: Task;
  agent: Agent | SelfDrivingAgent;
  surface: Surface;
  browser: JudgedBrowser;
  /** A browser that no entrant has reached, for the judge to load pages in; without it, or where it is null, they are loaded in the same. */
  untouched?: () => Promise<JudgedBrowser | null>;
  /** Freshly reset. The caller closes it. */
  world: World;
  sink: EventSink;
  /** Counts the tokens of tool lists and replies; without it they are not counted. */
  countTokens?: (text: string) => number;
  screenshotClasses?: ScreenshotClasses;
  /** For agents that draw lots: the same when this episode is run again. */
  seed?: string;
  /** The task's own without it. */
  caps?: Caps;
  /** Whether Playwright's trace is kept, where we drive; `off` without it. */
  trace?: TracePolicy;
  /** Whether a picture is kept of each step; none without it. */
  film?: boolean;
  /** Its fault; none without it. */
  fault?: ArmedFault | null;
  /** Cookies and storage by which the start page knows its user; none without it. */
  storedState?: StoredState;
  /** The money that all episodes of a campaign share; without it, only the caps of the episode hold. */
  budget?: MoneyBudget | undefined;
  /** Distance of two captures that must agree, in ms. */
  settleMs?: number;
}

/** The result of an episode; its events tell what was done and counted in it. */
export interface EpisodeResult {
  status: Status;
  stop: Stop;
  /** Why it stopped, in words; null when there is nothing to add. */
  detail: string | null;
  /** The last judgement: of its end, else of its start; null when nothing was judged. */
  judged: TaskJudgement | null;
  /** False when the browser is not fit for another episode. */
  browserFit: boolean;
}
