import { setTimeout as sleep } from 'node:timers/promises';
import type { Snapshot } from '../contract/dom/snapshot.ts';
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

/** The part that two successive captures must share; null while a page loads, or if it is too much to compare. */
export function fingerprint(capture: { pages: readonly PageEvidence[] }): string | null {
  if (capture.pages.some(({ dom }) => dom.captured && dom.value.loading)) return null;
  try {
    const pages = capture.pages.map((page) => ({ ...page, dom: withoutIds(page.dom) }));
    return JSON.stringify({ ...capture, pages });
  } catch {
    return null;
  }
}

/** The browser may number the nodes of an unchanged page differently. */
function withoutIds(dom: PageEvidence['dom']) {
  if (!dom.captured) return dom;
  const { main, remote_frames: frames } = dom.value;
  return {
    main: withoutNodeIds(main),
    frames: frames.map(({ owner_backend_node_id: _owner, snapshot, ...frame }) => ({
      ...frame,
      snapshot: snapshot.captured ? withoutNodeIds(snapshot.value) : snapshot,
    })),
  };
}

// A replacer would be called for each number of the snapshot, which takes five times as long.
function withoutNodeIds({ strings, documents }: Snapshot) {
  const shown = documents.map(({ nodes: { backendNodeId: _ids, ...nodes }, ...document }) => ({ ...document, nodes }));
  return { strings, documents: shown };
}
