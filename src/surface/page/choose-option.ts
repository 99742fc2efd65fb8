import type { Locator } from 'playwright-core';
import { shortened } from '../../contract/strings.ts';
import type { Timing } from './stage.ts';

/** Most options that are named, and most characters of each: the page writes them. */
const MOST = { options: 12, characters: 60 };

/** Says that a list has no such option; names those that it has. */
export class NoSuchOptionError extends Error {}

/** Chooses an option by its visible text. @throws NoSuchOptionError where Playwright has waited for it in vain */
export async function chooseOption(list: Locator, option: string, timing: Timing): Promise<void> {
  try {
    await list.selectOption({ label: option }, timing);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('did not find some options')) throw error;
    throw new NoSuchOptionError(`there is no option "${option}"; ${await optionsOf(list, timing)}`, { cause: error });
  }
}

async function optionsOf(list: Locator, timing: Timing): Promise<string> {
  const options = list.locator('option');
  try {
    const count = await options.count();
    const names: string[] = [];
    // One after the other: each listens to the signal meanwhile.
    for (let at = 0; at < Math.min(count, MOST.options); at += 1) {
      const each = options.nth(at);
      names.push((await each.getAttribute('label', timing)) ?? (await each.textContent(timing)) ?? '');
    }
    return optionsText(names, count);
  } catch {
    // A page may go while it is looked at.
    return 'which there are could not be read';
  }
}

/** Lists the options that there are, so many of them as fit a sentence. @param count of all, where not all are given */
export function optionsText(names: readonly string[], count = names.length): string {
  const shown = names
    .slice(0, MOST.options)
    .map((name) => `"${shortened(name.replaceAll(/\s+/g, ' ').trim(), MOST.characters)}"`);
  if (shown.length === 0) return 'it has none';
  const more = count - shown.length;
  return `it has ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}
