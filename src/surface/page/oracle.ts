import type { Locator, Page } from 'playwright-core';
import { elementFor, type ElementStep } from '../aria/element-for.ts';
import { elementsOf } from '../aria/snapshot-text.ts';

/** Longest that a page may take to say where an element is, in ms. */
const LOOK_TIMEOUT_MS = 5_000;

/**
 * The element that a step of a solution means, by role and accessible name: for surfaces whose agents see no names. Only
 * who follows a solution asks this; it is no knowledge that any other agent has. Null when the page has no such element.
 */
export async function elementOfStep(page: Page, step: ElementStep): Promise<Locator | null> {
  const tree = await page.ariaSnapshot({ mode: 'ai', timeout: LOOK_TIMEOUT_MS });
  const element = elementFor(step, elementsOf(tree));
  return element === undefined ? null : page.locator(`aria-ref=${element.ref}`);
}
