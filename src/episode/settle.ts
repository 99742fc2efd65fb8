import { setTimeout as sleep } from 'node:timers/promises';
import type { PageEvidence } from '../contract/evidence.ts';

/** Default time between two captures that must agree, in ms. */
export const SETTLE_MS = 300;
export const SETTLE_LIMIT_MS = 5_000;

export interface Settled<T> {
  value: T;
  /** Whether no two captures agreed in time. */
  unsettled: boolean;
}

export interface SettleOptions<T> {
  capture: () => Promise<T>;
  /** The part that two captures must share; null if this one cannot be the last, for example of a page that loads. */
  fingerprint: (value: T) => string | null;
  settleMs: number;
  limitMs?: number;
  /** Work to do during the wait, with the latest capture. */
  meanwhile: (value: T) => Promise<void>;
}

/**
 * Captures until two captures, `settleMs` apart, agree. It knows no contract, and does the same for every entrant. Does not begin a
 * capture that would end past the limit, so that a page which does not answer is waited for once.
 */
export async function settle<T>(options: SettleOptions<T>): Promise<Settled<T>> {
  const { capture, settleMs, limitMs = SETTLE_LIMIT_MS, meanwhile } = options;
  const giveUpAt = performance.now() + limitMs;
  for (let earlier: string | null = null; ;) {
    const begun = performance.now();
    const value = await capture();
    const later = options.fingerprint(value);
    if (later !== null && later === earlier) return { value, unsettled: false };
    const captured = performance.now();
    const isLast = captured + settleMs + (captured - begun) > giveUpAt;
    await Promise.all([isLast ? null : sleep(settleMs), meanwhile(value)]);
    if (isLast) return { value, unsettled: true };
    earlier = later;
  }
}

// The browser may number the nodes of an unchanged page differently.
const VOLATILE = new Set(['backendNodeId', 'owner_backend_node_id']);

/** The part that two successive captures must share; null while a page loads, or if it is too much to compare. */
export function fingerprint(capture: { pages: readonly PageEvidence[] }): string | null {
  if (capture.pages.some(({ dom }) => dom.captured && dom.value.loading)) return null;
  try {
    return JSON.stringify(capture, (key, part: unknown) => (VOLATILE.has(key) ? undefined : part));
  } catch {
    return null;
  }
}
