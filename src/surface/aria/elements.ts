import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Locator } from 'playwright-core';
import { untilAborted } from '../until-aborted.ts';
import { type Drop, type ElementStep, nameOf, rolesOf } from '../../task/intent.ts';
import { type SnapshotElement, elementsOf } from '../../task/snapshot-text.ts';

interface Limits {
  timeout: number;
  signal?: AbortSignal;
}

/**
 * The page's accessibility tree as Playwright writes it, with references; null if the page has no body, as after a response that broke off
 * in the head. Playwright would wait for its tree in vain, so a page whose tree is late is asked for its body.
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

/**
 * The first element with the role and name of a step; else the first whose name reads the same, since tools differ in icons and white space;
 * else the first without a name whose text is the name; else the only one whose name differs in letter case alone, or in symbols at its
 * ends, which CSS may add. A step with `nth` means that one of all with its role, and `near` the first after the text.
 */
export function elementFor(
  step: ElementStep | Drop,
  elements: readonly SnapshotElement[],
): SnapshotElement | undefined {
  const [roles, wanted] = [rolesOf(step), nameOf(step)];
  const isOfRole = ({ role }: SnapshotElement) => roles === null || roles.some((each) => isRole(role, each));
  const ofRole = elements.filter(isOfRole);
  if ('nth' in step && step.nth !== undefined) return ofRole[step.nth - 1];
  if ('near' in step && step.near !== undefined) return firstAfter(step.near, elements)?.find(isOfRole);
  const candidates = ofRole.filter(({ name }) => withoutCss(name) !== '' && withoutCss(name) === withoutCss(wanted));
  return (
    ofRole.find(({ name }) => name === wanted) ??
    ofRole.find(({ name }) => withoutIcons(name) === withoutIcons(wanted)) ??
    ofRole.find(({ name, text = '' }) => name === '' && withoutIcons(text) === withoutIcons(wanted)) ??
    (candidates.length === 1 ? candidates[0] : undefined)
  );
}

/** The elements after the first that reads as a text, or from the one on before which it is written. */
function firstAfter(text: string, elements: readonly SnapshotElement[]): readonly SnapshotElement[] | null {
  const wanted = withoutIcons(text);
  const reads = (each = '') => withoutIcons(each) === wanted;
  const at = elements.findIndex(({ name, text: own, before }) => reads(name) || reads(own) || reads(before));
  return at === -1 ? null : elements.slice(reads(elements[at]?.before) ? at : at + 1);
}

/** Tools name some elements by their tag, or by the role that Chromium gives them itself; one without a role is text. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  button: ['input', 'input, file'],
  checkbox: ['input', 'label'],
  combobox: ['input', 'select'],
  generic: ['', 'StaticText', 'div', 'span'],
  link: ['a'],
  listitem: ['li'],
  listbox: ['select'],
  radio: ['input', 'label'],
  searchbox: ['input'],
  slider: ['input'],
  spinbutton: ['input'],
  textbox: ['ColorWell', 'Date', 'DateTime', 'InputTime', 'input', 'textarea'],
};

function isRole(shown: string, wanted: string): boolean {
  return shown === wanted || OTHER_NAMES[wanted]?.includes(shown) === true;
}

/** Stars, arrows and the like, but no `+`, `-` or `#`, which tell names apart. */
const SYMBOLS_AT_ENDS = /^[\s\p{So}←-⇿]+|[\s\p{So}←-⇿]+$/gu;

function withoutCss(name: string): string {
  return withoutIcons(name).replaceAll(SYMBOLS_AT_ENDS, '').toUpperCase();
}

/** Icon fonts use the private use areas of Unicode. */
function withoutIcons(name: string): string {
  return name
    .replaceAll(/\p{Co}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const LOOK_TIMEOUT_MS = 15_000;

/** The element of a step by role and accessible name, for surfaces whose calls name elements otherwise; or null. */
export async function elementOfStep(page: Page, step: ElementStep | Drop): Promise<Locator | null> {
  const tree = await ariaTree(page, { timeout: LOOK_TIMEOUT_MS });
  if (tree === null) return null;
  const element = elementFor(step, elementsOf(tree));
  return element === undefined ? null : page.locator(`aria-ref=${element.ref}`);
}
