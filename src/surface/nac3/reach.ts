import type { Page } from 'playwright-core';
import { z } from 'zod';
import { isPlaywrightTimeout } from '../page/playwright-words.ts';
import type { ShownElement } from './shown.ts';

/**
 * Why an element cannot be acted on now, by what the page says and by what a user could do: a runtime clicks what another element
 * covers, and no other surface can. Null when it can be.
 */
export async function blockOf(
  page: Page,
  element: ShownElement,
  plugin: string | null,
  timing: { timeout: number; signal: AbortSignal },
): Promise<string | null> {
  const name = `"${element.nac_id}"`;
  if (element.not_in_page === true) return `${name} is not on the page; only its host can be asked for it`;
  if (element.disabled === true) return `${name} is disabled`;
  if (element.hidden === true) return `${name} is hidden`;
  const found = page.locator(selectorOf(element, plugin)).filter({ visible: true });
  // Only the runtime finds what is marked otherwise than by the attributes of the standard.
  if ((await found.count()) !== 1) return null;
  try {
    await found.click({ ...timing, trial: true });
    return null;
  } catch (error) {
    if (!isPlaywrightTimeout(error)) throw error;
    const isCovered = /intercepts pointer events/.test(error.message);
    return isCovered ? `${name} is covered by another element` : `${name} cannot be acted on`;
  }
}

/** A selector, for Playwright, of the elements with this id in this plugin. */
function selectorOf({ nac_id: nacId }: ShownElement, plugin: string | null): string {
  const root = plugin === null ? '' : `[data-nac-plugin=${quoted(plugin)}] `;
  return `css=${root}[data-nac-id=${quoted(nacId)}]`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\a `)}"`;
}

const Options = z.array(z.object({ value: z.string(), label: z.string() })).catch([]);

/**
 * The options of a native list, for runtimes which describe none: they set whatever they are told, and a list that has no such value is
 * empty then. Empty when it is no native list.
 */
export async function nativeOptions(
  page: Page,
  element: ShownElement,
  plugin: string | null,
): Promise<z.infer<typeof Options>> {
  const found = page.locator(selectorOf(element, plugin)).filter({ visible: true });
  return (await found.count()) === 1 ? Options.parse(await found.evaluate(optionsIn)) : [];
}

/** In the page: nothing but data. */
function optionsIn(list: unknown): unknown[] {
  const options: unknown = Object(list).tagName === 'SELECT' ? Object(list).options : [];
  return Array.from(Object(options), (option) => ({
    value: String(Object(option).value),
    label: String(Object(option).label),
  }));
}
