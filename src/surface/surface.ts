import type { BrowserContext, Page } from 'playwright-core';
import type { ProcessNeeds, ProcessIsolation } from '../process/sandbox/launch.ts';
import type { Bind } from '../task/intent.ts';
import type { ToolCall, ToolDefinition, ToolReply } from '../task/tool.ts';
import type { Differences } from './traits.ts';

/** The place at the browser that a surface of ours is given: a fresh context with the start page open. */
export interface ContextSeat {
  context: BrowserContext;
  page: Page;
  /** CDP ids of the context and of the page's target. */
  contextId: string;
  targetId: string;
  /** Tells the judge on which page (by its CDP target id) the surface has just acted. */
  touch(targetId: string): void;
  /** The agent's goal. */
  goal?: string;
  /** The MCP server of the app that the task is on, and the proxy that leads to it; absent if there is none. */
  toolServer?: { url: string; proxy: string };
}

/** The place at the browser that a third-party tool is given: a browser of its own, with the start page open. */
export interface EndpointSeat {
  /** Our gateway, as tools take it for a CDP address: `http://127.0.0.1:<port>`. */
  cdpUrl: string;
  cdpPort: number;
  /** The open tabs of the browser, in the order in which they were opened; the start page is the first. */
  tabs: () => readonly SeatTab[];
}

/** A tab by its CDP target id, and whether the tool opened it for itself; else a page did, or it is the start page. */
export interface SeatTab {
  id: string;
  isTools: boolean;
}

/** Whether the surface thinks that the agent gets on, for surfaces that offer such a status. */
export type ReplyProgress = 'progressing' | 'stalling' | 'stuck';

/** A surface at work in one episode. */
export interface SurfaceSession {
  /** Those that it offers now; a tool server may offer others after a call. */
  readonly tools: readonly ToolDefinition[];
  /** As a tool server calls itself; null or absent where the surface's own version is all there is. */
  readonly version?: string | null;
  /** Isolation of the process that serves it; absent if there is none. */
  readonly isolation?: ProcessIsolation | undefined;
  /** As the NAC3 runtime of the page calls itself; null if no page had one, absent if the page is not asked. */
  readonly runtimeVersion?: string | null;
  /** Runs one call. What goes wrong is a reply with `ok: false`, never an exception. The signal cancels the work. */
  call(call: ToolCall, signal: AbortSignal): Promise<ToolReply>;
  /** Brings `tools` up to date, before the agent's next move; absent where they never change. */
  refresh?(): Promise<void>;
  /** The native call that carries out one step of a solution, given what the surface showed last. */
  bind: Bind;
  /** Present if the surface's own tools include a progress status. */
  progress?(): Promise<ReplyProgress>;
  close(): Promise<void>;
}

interface CommonSurface {
  /** As on the command line and in rows. */
  id: string;
  /** Read from what runs. */
  version: string;
  interaction: 'multi-turn' | 'one-shot';
  /** Why it cannot be run here, and what to do about that; null when it can. */
  unavailable: string | null;
  /** The owner of the tools: the app's MCP server, the app's pages, or nobody if the agent drives the browser itself. Absent: a user of pages. */
  toolsOf?: 'app_server' | 'app_pages' | 'nobody';
  /** False only where no step of a solution can be done through it. */
  bindsSteps?: boolean;
  /** Its differences from other surfaces; absent if they were not checked. */
  differences?: Differences;
}

/** A surface of ours, which works through Playwright. */
export interface ContextSurface extends CommonSurface {
  needs: 'context';
  /** False only where no tool takes script or markup, so that none of the agent's can reach a page. */
  takesScript?: boolean;
  /** True where a page is shown as a picture, and in no other way. */
  showsPictures?: boolean;
  /** The oldest major version of Chromium that has what it needs; absent where any will do. */
  needsChromium?: number;
  /** With what a browser has to be started for it; absent where any will do. Ours are. */
  needsStart?: string;
  open(seat: ContextSeat): Promise<SurfaceSession>;
}

/** A surface that a third-party tool serves, which attaches to a browser by its debugging port. */
export interface EndpointSurface extends CommonSurface {
  needs: 'endpoint';
  /** The reach that its file asks for; absent: the gateway alone. */
  network?: 'gateway' | 'shared';
  /** The files that its process needs, and suites and bundles near them; null where it cannot be started here. Absent: it starts none. */
  processNeeds?(): ProcessNeeds | null;
  /** When the signal fires before it is open, what was started for it is ended, and it rejects. */
  open(seat: EndpointSeat, signal: AbortSignal): Promise<SurfaceSession>;
}

/** Decides what an agent sees and may do. */
export type Surface = ContextSurface | EndpointSurface;
