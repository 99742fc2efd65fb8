import type { Locator, Page } from 'playwright-core';
import { type Act, actOfTab, type Timing } from '../page/act.ts';
import { chooseOption } from '../page/choose-option.ts';
import { ariaTree } from '../page/aria-tree.ts';
import { type ElementNames, type Located, NEVER_SEEN, type Shown, type Sighting, type View } from '../page/view.ts';
import { bindAria } from './bind.ts';
import { elementsOf } from '../../task/snapshot-text.ts';
import { ARIA_TOOLS, type AriaTool } from './tools.ts';

/** A tab as its accessibility tree. */
interface ShownTree extends Shown {
  /** The references that stand in it. */
  refs: ReadonlySet<string>;
}

/** Shows the accessibility tree; calls name a reference of it. */
export class AriaView implements View<ShownTree> {
  readonly tools = ARIA_TOOLS;
  readonly kind = 'snapshot';
  readonly bind = bindAria;
  readonly elements: ElementNames<ShownTree> = { sighting, find };

  async show(page: Page, timing: Timing): Promise<ShownTree> {
    const text = (await ariaTree(page, timing)) ?? '';
    return { text, refs: new Set(elementsOf(text).map(({ ref }) => ref)) };
  }

  act(tool: Exclude<AriaTool, 'wait' | 'tabs' | 'dialog'>, args: unknown): Act {
    switch (tool) {
      case 'navigate':
      case 'back':
      case 'press':
      case 'scroll':
        return actOfTab(tool, args);
      case 'snapshot':
        return { on: 'tab', run: () => Promise.resolve() };
      case 'click': {
        const { ref } = ARIA_TOOLS.click.args.parse(args);
        return { on: 'element', name: ref, run: (element, timing) => element.click(timing) };
      }
      case 'fill': {
        const { ref, text } = ARIA_TOOLS.fill.args.parse(args);
        return { on: 'element', name: ref, run: (element, timing) => element.fill(text, timing) };
      }
      case 'select': {
        const { ref, option } = ARIA_TOOLS.select.args.parse(args);
        return { on: 'element', name: ref, run: (element, timing) => chooseOption(element, option, timing) };
      }
    }
  }
}

/** A reference is of one element, so what was shown was one. */
function sighting(ref: string, shown: ShownTree | null): Sighting {
  if (shown === null) return NEVER_SEEN;
  const isShown = shown.refs.has(ref);
  return { shown: isShown, matched_then: isShown ? 1 : 0 };
}

async function find(page: Page, ref: string, { shown }: Sighting, timing: Timing): Promise<Located> {
  if (!/^(f\d+)?e\d+$/.test(ref)) {
    return { count: 0, why: `"${ref}" is not a reference; take one from the latest snapshot, for example "e5"` };
  }
  const element = page.locator(`aria-ref=${ref}`);
  if (shown && (await isThere(element))) return { element };
  const why = `there is no element "${ref}" any more; look again and take a reference from the new snapshot`;
  // One that the agent has not been shown may have come since; it would have to look first all the same.
  const hasCome =
    !shown && elementsOf(await page.ariaSnapshot({ mode: 'ai', ...timing })).some((each) => each.ref === ref);
  return { count: hasCome ? 1 : 0, why };
}

/** Asked first, for an action would wait in vain for an element that is gone. */
async function isThere(element: Locator): Promise<boolean> {
  try {
    return (await element.count()) > 0;
  } catch {
    // A reference into a frame that is gone.
    return false;
  }
}
