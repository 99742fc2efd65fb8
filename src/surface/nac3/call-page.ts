import { z } from 'zod';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame, Page, Request } from 'playwright-core';
import type { Outcome, Turn } from '../page/view.ts';
import { inOneLine } from './shown.ts';
import type { NacTab } from './nac-tab.ts';
import { isLeft } from '../page/playwright-errors.ts';

// `look` and `callNac` run in the page, among a stranger's code: they refer to nothing outside, and return text. They name no inner function,
// since tools that run TypeScript would wrap it.

/** Longest description of a page that is taken, in characters of JSON. */
export const MAX_DESCRIPTION_LENGTH = 1_000_000;
const MAX_OUTCOME_LENGTH = 2_000;

/** The result of looking at a page's `window.NAC`. */
export const Look = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('threw'), message: z.string() }),
  z.object({ kind: z.literal('long'), length: z.number() }),
  z.object({
    kind: z.literal('seen'),
    description: z.unknown(),
    manifests: z.unknown(),
    /** Data tables, as `describe_v2()` has them. */
    tables: z.unknown(),
    /** The calls that were asked about and that the runtime has. */
    calls: z.array(z.string()),
    version: z.string().nullable(),
    language: z.string(),
  }),
]);

/** Asks for `describe()`, `manifest()` and, if there is one, `describe_v2()`. Runs in the page. */
export async function look({ max, calls }: { max: number; calls: string[] }): Promise<string> {
  const nac: unknown = Reflect.get(globalThis, 'NAC');
  if (typeof nac !== 'object' || nac === null) return '{"kind":"none"}';
  try {
    const describe: unknown = Reflect.get(nac, 'describe');
    if (typeof describe !== 'function') return '{"kind":"none"}';
    const description: unknown = await Reflect.apply(describe, nac, []);
    const manifest: unknown = Reflect.get(nac, 'manifest');
    const manifests: unknown = typeof manifest === 'function' ? await Reflect.apply(manifest, nac, []) : {};
    const describeTables: unknown = Reflect.get(nac, 'describe_v2');
    const whole: unknown = typeof describeTables === 'function' ? await Reflect.apply(describeTables, nac, []) : {};
    const document: unknown = Reflect.get(globalThis, 'document');
    const root: unknown = Object(document).documentElement;
    const version: unknown = Reflect.get(nac, 'runtime_version') ?? Reflect.get(nac, 'version');
    const text = JSON.stringify({
      kind: 'seen',
      description,
      manifests,
      tables: Object(whole).data_tables ?? [],
      calls: calls.filter((name) => typeof Reflect.get(nac, name) === 'function'),
      version: typeof version === 'string' ? version.slice(0, 100) : null,
      language: String(Object(root).lang).slice(0, 2),
    });
    return text.length > max ? JSON.stringify({ kind: 'long', length: text.length }) : text;
  } catch (error) {
    return JSON.stringify({ kind: 'threw', message: String(error).slice(0, 500) });
  }
}

const NacOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('done'), ok: z.boolean(), result: z.string() }),
  z.object({ kind: z.literal('rejected'), code: z.string(), message: z.string() }),
  /** The runtime did not pass the arguments on. */
  z.object({ kind: z.literal('dropped') }),
]);
type NacOutcome = z.infer<typeof NacOutcome>;

/** Calls a method of `window.NAC`. Runs in the page. */
async function callNac({ method, args, carriers, tab, max }: NacCall & { max: number }): Promise<string> {
  const nac: unknown = Reflect.get(globalThis, 'NAC');
  const call: unknown = typeof nac === 'object' && nac !== null ? Reflect.get(nac, method) : undefined;
  if (typeof call !== 'function') return '{"kind":"none"}';
  const stop = new AbortController();
  const { signal } = stop;
  const document: unknown = Reflect.get(globalThis, 'document');
  const heard: string[] = [];
  if (document instanceof EventTarget) {
    // After the page's own listeners, whose work is done by then.
    for (const name of carriers ?? []) document.addEventListener(name, () => heard.push(name), { signal });
  }
  try {
    const opened = new Promise((resolve) => {
      if (!(document instanceof EventTarget) || tab === undefined) return;
      for (const name of tab.events) {
        document.addEventListener(
          name,
          (event) => {
            const detail: unknown = Reflect.get(event, 'detail');
            const ids: unknown[] = [Object(detail).tab_id, Object(detail).tab_key, Object(detail).nac_id];
            if (ids.includes(tab.id)) resolve({ ok: true, event: name });
          },
          { signal },
        );
      }
    });
    const result: unknown = await Promise.race([Reflect.apply(call, nac, args), opened]);
    if (carriers !== undefined && heard.length === 0) return '{"kind":"dropped"}';
    const ok: unknown = Object(result).ok;
    return JSON.stringify({ kind: 'done', ok: ok !== false, result: (JSON.stringify(result) ?? '').slice(0, max) });
  } catch (error) {
    const code: unknown = Object(error).code;
    const message: unknown = Object(error).message;
    return JSON.stringify({
      kind: 'rejected',
      code: typeof code === 'string' ? code.slice(0, 100) : 'error',
      message: String(message ?? error).slice(0, 500),
    });
  } finally {
    stop.abort();
  }
}

export interface NacCall {
  method: string;
  args: unknown[];
  /** The events that can carry its payload to a host: without one, the payload was dropped. Absent if it has none. */
  carriers?: string[];
  /** The tab that it opens, and the events that report it: runtimes know one or the other. */
  tab?: { id: string; events: string[] };
}

/** The codes of a runtime for a target that was found and cannot be acted on. */
const BLOCKED = new Set(['disabled', 'hidden', 'inert', 'aria_busy', 'readonly']);

export async function callPage({ stage, signal, target }: Turn<NacTab>, call: NacCall): Promise<Outcome<NacTab>> {
  target.learn({ dispatched: true });
  const outcome = await stage.act((page, { timeout }) => ledTo(page, () => outcomeOf(page, call), timeout), signal);
  if (outcome?.kind === 'rejected' && BLOCKED.has(outcome.code)) target.learn({ actionable: false });
  const problem = outcome === null ? null : problemOf(outcome);
  if (problem !== null) return { problem };
  return outcome?.kind === 'done' ? { result: `Result: ${inOneLine(outcome.result)}` } : {};
}

/** Null if the page navigated to another before it could answer. */
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
      return outcome.ok ? null : `the host reports a failure: ${inOneLine(outcome.result)}`;
  }
}

/**
 * Runs a script of the page, and waits for the page that it leads to, if any: a script's click ends before the navigation begins.
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
    // By then the navigation has begun.
    await page.evaluate(soon).catch(() => {});
    if (isAsked) await Promise.race([arrived, sleep(limitMs, undefined, { signal: stop.signal }).catch(() => {})]);
    return done;
  } finally {
    stop.abort();
  }
}

/** Runs in the page. */
async function soon(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, 20);
  });
}
