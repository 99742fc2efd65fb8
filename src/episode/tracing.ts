import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { messageOf } from '../contract/message-of.ts';
import type { Status } from '../contract/status.ts';
import { filesInZip } from '../world/archive/write-archive.ts';
import { within } from '../process/deadline.ts';
import type { EpisodeSetup } from './episode-setup.ts';

/** Time for Playwright to begin and to end a trace, in ms. */
const LIMIT_MS = 20_000;

/** A trace as a zip, or why it is missing. */
export type Traced = { zip: Buffer } | { why: string };

/** Playwright's recording of an entrant. It never throws, since no episode depends on it. */
export interface Tracing {
  begin(): Promise<void>;
  end(): Promise<Traced>;
}

/** Traces a context that we drive by Playwright: calls, a DOM snapshot before and after each, pictures and the network. */
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

/** Limits of a trace and of its unpacked files, in bytes. */
const MAX_TRACE = 48 * 1024 * 1024;
const MAX_UNPACKED = 512 * 1024 * 1024;

type Keeping = Pick<EpisodeSetup, 'sink' | 'trace'>;

/** Stores the trace of an attempt, and records where it is, or why it is missing. */
export async function keepTrace(traced: Traced, status: Status, keeping: Keeping): Promise<void> {
  const { sink } = keeping;
  let why = await whyNotKept(traced, status, keeping);
  let blob: string | null = null;
  try {
    if (why === null && 'zip' in traced) blob = (await sink.trace?.(traced.zip)) ?? null;
  } catch (error) {
    why = `it cannot be stored: ${messageOf(error)}`;
  }
  sink.event({ type: 'trace', blob, why });
}

async function whyNotKept(traced: Traced, status: Status, { sink, trace }: Keeping): Promise<string | null> {
  if ('why' in traced) return traced.why;
  if (trace === 'failures' && status === 'passed') return 'the attempt passed, and traces are kept of failures';
  if (traced.zip.length > MAX_TRACE) return `it has ${traced.zip.length} bytes, more than ${MAX_TRACE}`;
  try {
    for await (const bytes of filesInZip(traced.zip, MAX_UNPACKED)) {
      const text = bytes.toString('utf8');
      if (sink.clean(text) !== text) return 'it contains a secret, and a trace holds the bytes as they were';
    }
    return null;
  } catch (error) {
    return `it cannot be searched for secrets: ${messageOf(error)}`;
  }
}
