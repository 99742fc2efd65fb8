import type { BrowserContext, Page } from 'playwright-core';
import type { ProcessNeeds, ProcessIsolation } from '../process/sandbox/launch.ts';
import type { Given, GivenFile } from '../task/given-files.ts';
import type { Bind } from '../task/intent.ts';
import type { ToolCall, ToolDefinition, ToolReply } from '../task/tool.ts';
import type { Differences, NO_TOOLS } from './traits.ts';

/** The seat of a surface of ours: a fresh context with the start page open. */
export interface ContextSeat {
  context: BrowserContext;
  page: Page;
  contextId: string;
  targetId: string;
  /** Reports to the judge the page on which the surface acted, by its CDP target id. */
  touch(targetId: string): void;
  goal?: string;
  /** Files that the task gives to its agent; absent without any. */
  files?: readonly GivenFile[];
  /** The MCP server of the task's app, and the proxy to it; absent if it has none. */
  toolServer?: { url: string; proxy: string };
}

/** The seat of a third-party tool: its own browser, with the start page open. */
export interface EndpointSeat {
  /** Our gateway: `http://127.0.0.1:<port>`. */
  cdpUrl: string;
  cdpPort: number;
  /** In the order of opening; the start page is the first. */
  tabs: () => readonly SeatTab[];
  /** Absent if the task gives no files. */
  given?: Given;
}

export interface SeatTab {
  /** CDP target id. */
  id: string;
  /** Whether the tool opened it for itself. */
  isTools: boolean;
}

export type ReplyProgress = 'progressing' | 'stalling' | 'stuck';

export interface SurfaceSession {
  /** Those of a tool server may change after a call. */
  readonly tools: readonly ToolDefinition[];
  /** The version that a tool server reports; null or absent if only the surface has one. */
  readonly version?: string | null;
  /** Absent if no process serves it. */
  readonly isolation?: ProcessIsolation | undefined;
  /** The version that the page's NAC3 runtime reports; null if no page had one, absent if pages are not asked. */
  readonly runtimeVersion?: string | null;
  /** Paths of the files that the task gives, for a server whose tools name files by path. */
  readonly files?: readonly string[];
  /** Runs one call. A failure is a reply with `ok: false`, never an exception. */
  call(call: ToolCall, signal: AbortSignal): Promise<ToolReply>;
  /** Updates `tools` before the agent's next move; absent if they never change. */
  refresh?(): Promise<void>;
  bind: Bind;
  progress?(): Promise<ReplyProgress>;
  close(): Promise<void>;
}

interface CommonSurface {
  id: string;
  version: string;
  interaction: 'multi-turn' | 'one-shot';
  /** Why it cannot run here, with the remedy; null if it can. */
  unavailable: string | null;
  /** The owner of the tools; absent: a user of pages. */
  toolsOf?: 'app_server' | 'app_pages' | typeof NO_TOOLS;
  /** False if no step of a solution can be done through it. */
  bindsSteps?: boolean;
  /** Steps for which it has no call. */
  lacksSteps?: readonly string[];
  /** Absent if they were not checked. */
  differences?: Differences;
  /** Pages get it for the NAC3 manifest that their app serves. */
  manifest?: Uint8Array;
}

/** A surface of ours, which works through Playwright. */
export interface ContextSurface extends CommonSurface {
  needs: 'context';
  /** False if no tool takes script or markup, so that none of the agent's can reach a page. */
  takesScript?: boolean;
  showsPictures?: boolean;
  /** The oldest major version of Chromium that works; absent if any does. */
  needsChromium?: number;
  /** The command-line option that a browser needs; those that we start have it. */
  needsStart?: string;
  open(seat: ContextSeat): Promise<SurfaceSession>;
}

/** A surface of a third-party tool, which attaches to a browser by its debugging port. */
export interface EndpointSurface extends CommonSurface {
  needs: 'endpoint';
  /** Absent: the gateway alone. */
  network?: 'gateway' | 'shared';
  /** Null if it cannot be started here; absent if it starts no process. */
  processNeeds?(): ProcessNeeds | null;
  /** If the signal fires before it is open, it ends what it started and rejects. */
  open(seat: EndpointSeat, signal: AbortSignal): Promise<SurfaceSession>;
}

/** Decides what an agent sees and may do. */
export type Surface = ContextSurface | EndpointSurface;
