import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame, Page, Request } from 'playwright-core';
import type { Outcome, Turn } from '../page/view.ts';
import { callNac, MAX_OUTCOME_LENGTH, type NacCall, NacOutcome } from './in-page.ts';
import { inOneLine } from './shown-text.ts';
import type { NacTab } from './nac-tab.ts';

/** A runtime's reasons to refuse an action whose target was found and could not be acted on. */
const BLOCKED = new Set(['disabled', 'hidden', 'inert', 'aria_busy', 'readonly']);

/** Calls the runtime of the page, which may lead to another page. */
export async function callPage({ stage, signal, target }: Turn<NacTab>, call: NacCall): Promise<Outcome<NacTab>> {
  target.learn({ dispatched: true });
  const outcome = await stage.act((page, { timeout }) => ledTo(page, () => outcomeOf(page, call), timeout), signal);
  if (outcome?.kind === 'rejected' && BLOCKED.has(outcome.code)) target.learn({ actionable: false });
  const problem = outcome === null ? null : problemOf(outcome);
  if (problem !== null) return { problem };
  return outcome?.kind === 'done' ? { result: `Result: ${inOneLine(outcome.result)}` } : {};
}

/** Whether a page could not answer because it went on to another, or was closed. */
export function isLeft(error: unknown): boolean {
  return error instanceof Error && /context was destroyed|has been closed/.test(error.message);
}

/** Null when the page went on to another before it could answer. */
async function outcomeOf(page: Page, call: NacCall): Promise<NacOutcome | null> {
  try {
    return NacOutcome.parse(JSON.parse(await page.evaluate(callNac, { ...call, max: MAX_OUTCOME_LENGTH })));
  } catch (error) {
    if (isLeft(error)) return null;
    throw error;
  }
}

function problemOf(outcome: NacOutcome): string | null {
  switch (outcome.kind) {
    case 'none':
      return 'unsupported: the NAC of this page has no such call';
    case 'dropped':
      return 'unsupported: the runtime of this page has left the arguments out; no host was asked with them';
    case 'rejected':
      return inOneLine(`${outcome.code}: ${outcome.message}`);
    case 'done':
      return outcome.ok ? null : `the host says that it has failed: ${inOneLine(outcome.result)}`;
  }
}

/**
 * Runs a script of the page, and waits for the page that it leads to, if any: a script's click is over before the browser has
 * begun to go on.
 * @param limitMs how long the other page may take to come
 */
async function ledTo<T>(page: Page, work: () => Promise<T>, limitMs: number): Promise<T> {
  const stop = new AbortController();
  let isAsked = false;
  const asked = (request: Request): void => {
    isAsked ||= request.isNavigationRequest() && request.frame() === page.mainFrame();
  };
  const arrived = new Promise<void>((resolve) => {
    const came = (frame: Frame): void => {
      if (frame === page.mainFrame()) resolve();
    };
    const failed = (request: Request): void => {
      if (request.isNavigationRequest()) resolve();
    };
    page.on('request', asked).on('framenavigated', came).on('requestfailed', failed);
    stop.signal.addEventListener('abort', () => {
      page.off('request', asked).off('framenavigated', came).off('requestfailed', failed);
    });
  });
  try {
    const done = await work();
    // By then it has begun. A page that is gone has gone on.
    await page.evaluate(soon).catch(() => {});
    if (isAsked) await Promise.race([arrived, sleep(limitMs, undefined, { signal: stop.signal }).catch(() => {})]);
    return done;
  } finally {
    stop.abort();
  }
}

/** In the page: a few tasks later. */
async function soon(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, 20);
  });
}
