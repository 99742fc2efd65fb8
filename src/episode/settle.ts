import { setTimeout as sleep } from 'node:timers/promises';
import type { PageEvidence } from '../contract/evidence.ts';

/** Default distance of two captures that must agree, in ms. */
export const SETTLE_MS = 300;
export const SETTLE_LIMIT_MS = 5_000;

export interface Settled<T> {
  value: T;
  /** True when no two captures agreed in time. */
  unsettled: boolean;
}

export interface SettleOptions<T> {
  capture: () => Promise<T>;
  /** The part that must be equal in two captures; null when this one cannot be the last, for example of a page that loads. */
  fingerprint: (value: T) => string | null;
  settleMs: number;
  /** After this long, in ms, what never came to rest is taken as it is. */
  limitMs?: number;
  /** Work that is done while waiting, given the latest capture. */
  meanwhile: (value: T) => Promise<void>;
}

/**
 * Captures until two captures, `settleMs` apart, agree. It knows nothing of the contract, and is alike for everyone.
 * It does not begin a capture that would end past the limit: a page that does not answer keeps nobody waiting twice.
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

// Which number a node has inside the browser may change without anything changing.
const VOLATILE = new Set(['backendNodeId', 'owner_backend_node_id']);

/** The part that must be alike in two captures that follow each other; null while a page loads, or when it is too much to compare. */
export function fingerprint(capture: { pages: readonly PageEvidence[] }): string | null {
  if (capture.pages.some(({ dom }) => dom.captured && dom.value.loading)) return null;
  try {
    return JSON.stringify(capture, (key, part: unknown) => (VOLATILE.has(key) ? undefined : part));
  } catch {
    return null;
  }
}
