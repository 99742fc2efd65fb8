import type { Gateway } from '../browser/gateway/gateway.ts';
import type { SurfaceSession } from '../surface/surface.ts';
import type { Tracing } from './tracing.ts';

/** Where an episode takes place: a clean part of a browser in the task's world, with one page. */
export interface Place {
  /** The browser context's id, by which the judge knows what belongs to the episode. */
  contextId: string;
  /**
   * Opens the task's start URL. A dialog that opens while it loads would hold it up for good: it is the judge's to see.
   * @throws Error when it does not load, which is the world's fault: nobody has acted yet.
   */
  start(url: string): Promise<void>;
  /** When the signal fires before it is open, it is ended, and this rejects. */
  openSurface(signal: AbortSignal): Promise<SurfaceSession>;
  /** Where whoever comes from outside finds the browser, and what they asked of it; null where a surface of ours works by itself. */
  gateway: Pick<Gateway, 'url' | 'log' | 'callBegins' | 'cut'> | null;
  /** Playwright's recording of what is done here. */
  tracing: Tracing;
  /** Ends every connection of the entrant to the browser: what is captured at the end is nobody's to change. */
  endEntrant(): Promise<void>;
  /** Ends it. False when the browser is not fit for another episode. */
  close(): Promise<boolean>;
}

/** Time for the start page to load, in ms. */
export const START_TIMEOUT_MS = 20_000;
