import type { Page } from 'playwright-core';
import { z } from 'zod';
import { selectorOf } from './reach.ts';
import type { ShownElement } from './shown.ts';

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
