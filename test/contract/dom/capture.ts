import type { CDPSession, Page } from 'playwright-core';
import { capturedFrames, type CapturedFrames } from '../../../src/contract/dom/document.ts';
import type { CapturedFrame } from '../../../src/contract/dom/captured-tree.ts';
import { Snapshot, SNAPSHOT_STYLES } from '../../../src/contract/dom/snapshot.ts';
import { firstOf } from './find.ts';
import { sharedChromium } from '../../shared-chromium.ts';

export interface CapturedPage {
  readonly page: Page;
  raw(): Promise<unknown>;
  frames(): Promise<CapturedFrames>;
  main(): Promise<CapturedFrame>;
}

export async function openPage(html = '<!doctype html>'): Promise<CapturedPage> {
  const context = await (await sharedChromium()).newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.setContent(html);
  const raw = () => captureSession(session);
  const frames = async () => capturedFrames({ main: Snapshot.parse(await raw()), remote_frames: [], loading: false });
  return { page, raw, frames, main: async () => firstOf((await frames()).frames) };
}

/** What `DOMSnapshot.captureSnapshot` returns of one target, untouched. */
export function captureSession(session: CDPSession): Promise<unknown> {
  return session.send('DOMSnapshot.captureSnapshot', {
    computedStyles: [...SNAPSHOT_STYLES],
    includePaintOrder: false,
    includeDOMRects: false,
  });
}

let blank: Promise<CapturedPage> | null = null;

/** Captures a page made of this HTML, in no-quirks mode. A page whose script may break it is a page of its own. */
export async function captureHtml(html: string, script?: string): Promise<CapturedFrame> {
  const text = `<!doctype html><body>${html}`;
  if (script === undefined) {
    const shared = await (blank ??= openPage());
    await shared.page.setContent(text);
    // What an object shows that has nothing to load is decided in tasks that the load does not wait for.
    await shared.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    return shared.main();
  }
  const own = await openPage(text);
  await own.page.evaluate(script);
  const frame = await own.main();
  await own.page.context().close();
  return frame;
}
