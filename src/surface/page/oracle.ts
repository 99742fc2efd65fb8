import type { Locator, Page } from 'playwright-core';
import { elementFor } from '../aria/element-for.ts';
import type { ElementStep } from '../../task/intent.ts';
import { elementsOf } from '../../task/snapshot-text.ts';
import { ariaTree } from './aria-tree.ts';

/** Longest that a page may take to say where an element is, in ms. */
const LOOK_TIMEOUT_MS = 5_000;

/**
 * The element that a step means, by role and accessible name: for surfaces whose calls name elements otherwise. It is asked
 * for agents that name what they want by its role and name, be it out of a solution or out of what they were shown; no
 * other agent has this knowledge. Null when the page has no such element.
 */
export async function elementOfStep(page: Page, step: ElementStep): Promise<Locator | null> {
  const tree = await ariaTree(page, { timeout: LOOK_TIMEOUT_MS });
  if (tree === null) return null;
  const element = elementFor(step, elementsOf(tree));
  return element === undefined ? null : page.locator(`aria-ref=${element.ref}`);
}
