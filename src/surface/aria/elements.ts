import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Locator } from 'playwright-core';
import { untilAborted } from '../until-aborted.ts';
import type { ElementStep } from '../../task/intent.ts';
import { type SnapshotElement, elementsOf } from '../../task/snapshot-text.ts';

interface Limits {
  /** In ms. */
  timeout: number;
  signal?: AbortSignal;
}

/**
 * The page's accessibility tree as Playwright writes it, with references; null where the page has no body. One whose answer
 * broke off in the head never gets one: there is nothing to see on it, and Playwright would wait for its tree in vain. So a page
 * whose tree is late is asked for its body, and one that does not answer is not called empty.
 */
export async function ariaTree(page: Page, { timeout, signal }: Limits): Promise<string | null> {
  const over = new AbortController();
  const either = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
  const tree = page.ariaSnapshot({ mode: 'ai', timeout, signal: either });
  const isBodiless = sleep(timeout / 2, undefined, { signal: either })
    .then(() => lacksBody(page, either))
    .catch(() => false);
  try {
    return await Promise.race([tree, isBodiless.then((isSo) => (isSo ? null : tree))]);
  } finally {
    over.abort();
    tree.catch(() => {});
  }
}

async function lacksBody(page: Page, signal: AbortSignal): Promise<boolean> {
  return (await untilAborted(signal, page.locator('body, frameset').count())) === 0;
}

const ROLES = { fill: ['textbox', 'searchbox', 'combobox', 'spinbutton'], choose: ['combobox', 'listbox'] };

/**
 * The element that a step means, of those that a snapshot shows; undefined when it is not among them. Of several with the same role and name, the
 * first in the order of the page is meant. Tools differ in what they make of icons and of white space in a name: where none has the very name, one
 * that reads the same is meant.
 */
export function elementFor(step: ElementStep, elements: readonly SnapshotElement[]): SnapshotElement | undefined {
  const [roles, wanted] = step.do === 'click' ? [[step.role], step.name] : [ROLES[step.do], step.label];
  const ofRole = elements.filter(({ role }) => roles.includes(role));
  return (
    ofRole.find(({ name }) => name === wanted) ?? ofRole.find(({ name }) => withoutIcons(name) === withoutIcons(wanted))
  );
}

/** A name as it is read. Icon fonts have their pictures in the private use areas of Unicode. */
function withoutIcons(name: string): string {
  return name
    .replaceAll(/\p{Co}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Time limit for finding an element, in ms. */
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
