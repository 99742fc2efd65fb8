import type { Locator, Page } from 'playwright-core';
import { type ElementStep, isElementStep, type Binding, type SurfaceIntent } from '../../task/intent.ts';
import type { ToolCall } from '../../task/tool.ts';
import { bindTab, callOf, TAB_CALLS } from '../binding.ts';
import { elementOfStep } from '../page/oracle.ts';

/** Turns of the wheel for one step before it is given up. */
const MAX_SCROLLS = 10;

/**
 * The steps of a solution as clicks and keys. Whoever follows a solution cannot see: the place of an element comes from its role, its name and its
 * box, which the page is asked for. No other agent has this.
 */
export class PointedSteps {
  /** The step that has been begun, and which calls of it are behind us. */
  #step = '';
  #scrolls = 0;
  #made = 0;

  async bind(intent: SurfaceIntent, page: Page): Promise<Binding> {
    if (!isElementStep(intent)) return bindTab(TAB_CALLS, intent);
    const step = JSON.stringify(intent);
    if (step !== this.#step) this.#begin(step);
    const [first, ...rest] = callsAfterClick(intent).slice(Math.max(0, this.#made - 1));
    if (this.#made === 0) {
      const click = await this.#pointAt(intent, page);
      if (click.kind !== 'call' || first === undefined) return this.#ended(click, click.kind === 'call');
      this.#made = 1;
      return { kind: 'begin', call: click.call };
    }
    this.#made += 1;
    if (first === undefined) return { kind: 'impossible', why: 'the step was at its end' };
    return rest.length === 0 ? this.#ended({ kind: 'call', call: first }, true) : { kind: 'begin', call: first };
  }

  #begin(step: string): void {
    this.#step = step;
    this.#scrolls = 0;
    this.#made = 0;
  }

  #ended(binding: Binding, isLast: boolean): Binding {
    if (isLast) this.#begin('');
    return binding;
  }

  /** A click in the middle of the element, or the wheel first where that is outside of the picture. */
  async #pointAt(step: ElementStep, page: Page): Promise<Binding> {
    const element = await elementOfStep(page, step);
    const box = await element?.boundingBox();
    if (box == null) return { kind: 'observe', call: { tool: 'snapshot', args: {} } };
    const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    const { width, height } = await sizeOf(page);
    const isInside = x >= 0 && y >= 0 && x < width && y < height;
    // A target under another thing, such as a bar that stays, is brought away from under it, once; else it is clicked where it lies.
    if (isInside && (this.#scrolls > 0 || (await isOnTop(element))))
      return { kind: 'call', call: callOf('click', { x, y }) };
    this.#scrolls += 1;
    if (this.#scrolls > MAX_SCROLLS) return { kind: 'impossible', why: 'no wheel brings it into the picture' };
    const place = { x: within(x, width), y: within(y, height) };
    const isVertical = isInside || y < 0 || y >= height;
    const [distance, back, on] = isVertical ? [y - height / 2, 'up', 'down'] : [x - width / 2, 'left', 'right'];
    const pixels = Math.min(10_000, Math.max(1, Math.round(Math.abs(distance))));
    return { kind: 'begin', call: { tool: 'scroll', args: { ...place, direction: distance < 0 ? back : on, pixels } } };
  }
}

/** Whether the middle of an element is its own, or that of what it is part of. */
async function isOnTop(element: Locator | null): Promise<boolean> {
  const hit = await element?.evaluate((own) => {
    const { left, top, width, height } = own.getBoundingClientRect();
    const root = own.getRootNode();
    const from = 'elementFromPoint' in root ? root : own.ownerDocument;
    const found = from.elementFromPoint(left + width / 2, top + height / 2);
    return found === null || own.contains(found) || found.contains(own);
  });
  return hit !== false;
}

function callsAfterClick(step: ElementStep): ToolCall[] {
  switch (step.do) {
    case 'click':
      return [];
    case 'fill': {
      const typed = step.text === '' ? callOf('press', { key: 'Delete' }) : callOf('type', { text: step.text });
      return [callOf('press', { key: 'ControlOrMeta+a' }), typed];
    }
    case 'choose':
      // The list is open, and goes to what is typed.
      return [callOf('type', { text: step.option }), callOf('press', { key: 'Enter' })];
  }
}

async function sizeOf(page: Page): Promise<{ width: number; height: number }> {
  const session = await page.context().newCDPSession(page);
  const { cssLayoutViewport } = await session.send('Page.getLayoutMetrics');
  // Not waited for: nothing hangs on it.
  session.detach().catch(() => {});
  return { width: cssLayoutViewport.clientWidth, height: cssLayoutViewport.clientHeight };
}

function within(value: number, size: number): number {
  return Math.min(Math.max(0, value), size - 1);
}
