import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { messageOf } from '../contract/message-of.ts';
import { within } from './deadline.ts';

/** Time for Playwright to begin and to end a trace, in ms. */
const LIMIT_MS = 20_000;

/** A trace as a zip, or why there is none. */
export type Traced = { zip: Buffer } | { why: string };

/** Playwright's recording of what an entrant does, where it can be had. Nothing here throws: an episode does not need it. */
export interface Tracing {
  begin(): Promise<void>;
  end(): Promise<Traced>;
}

/** Traces a context that we drive by Playwright: its calls, a DOM snapshot before and after each, pictures and the network. */
export function tracingOf({ tracing }: BrowserContext): Tracing {
  let why: string | null = null;
  return {
    begin: async () => {
      why = await problemOf(() => tracing.start({ screenshots: true, snapshots: true }));
    },
    end: async () => {
      const file = path.join(tmpdir(), `touchstone-trace-${randomUUID()}.zip`);
      try {
        why ??= await problemOf(() => tracing.stop({ path: file }));
        return why === null ? { zip: await readFile(file) } : { why };
      } catch (error) {
        return { why: messageOf(error) };
      } finally {
        await rm(file, { force: true }).catch(() => {});
      }
    },
  };
}

/** Where there is none to be had, and why. */
export function noTracing(why: string): Tracing {
  return { begin: () => Promise.resolve(), end: () => Promise.resolve({ why }) };
}

async function problemOf(work: () => Promise<unknown>): Promise<string | null> {
  try {
    const { finished } = await within(LIMIT_MS, work);
    return finished ? null : `Playwright did not answer within ${LIMIT_MS} ms`;
  } catch (error) {
    return messageOf(error);
  }
}
