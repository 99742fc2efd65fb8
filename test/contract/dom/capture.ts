import type { Page } from 'playwright-core';
import { capturedFrames, type CapturedFrames } from '../../../src/contract/dom/document.ts';
import type { CapturedElement, CapturedFrame } from '../../../src/contract/dom/captured-tree.ts';
import { Snapshot, SNAPSHOT_STYLES } from '../../../src/contract/dom/snapshot.ts';
import { sharedChromium } from '../../shared-chromium.ts';

/** A page of its own context, and what the browser captures of it. */
export interface CapturedPage {
  readonly page: Page;
  /** What `DOMSnapshot.captureSnapshot` returns, untouched. */
  raw(): Promise<unknown>;
  frames(): Promise<CapturedFrames>;
  main(): Promise<CapturedFrame>;
}

export async function openPage(html = '<!doctype html>'): Promise<CapturedPage> {
  const context = await (await sharedChromium()).newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.setContent(html);
  const raw = () =>
    session.send('DOMSnapshot.captureSnapshot', {
      computedStyles: [...SNAPSHOT_STYLES],
      includePaintOrder: false,
      includeDOMRects: false,
    });
  const frames = async () => capturedFrames({ main: Snapshot.parse(await raw()), remote_frames: [] });
  return { page, raw, frames, main: async () => firstOf((await frames()).frames) };
}

/** Captures a page made of this HTML, in no-quirks mode, and closes it. */
export async function captureHtml(html: string, script = ''): Promise<CapturedFrame> {
  const captured = await openPage(`<!doctype html><body>${html}`);
  await captured.page.evaluate(script);
  const frame = await captured.main();
  await captured.page.context().close();
  return frame;
}

export function firstOf<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error('the list is empty');
  return first;
}

export function byId(frame: CapturedFrame, id: string): CapturedElement {
  return firstOf(frame.elements.filter((element) => element.attributes.get('id') === id));
}
