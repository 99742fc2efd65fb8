import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { elementsOf } from '../../task/snapshot-text.ts';
import { bindElements, elementCalls, TAB_CALLS } from '../binding.ts';
import { NO_DIFFERENCES } from '../traits.ts';
import { ariaTree, elementFor } from './elements.ts';
import { pageSurface } from '../page/page-session.ts';
import type { GivenFile } from '../../task/given-files.ts';
import type { Timing } from '../page/stage.ts';
import type { Located, Found, Shown, View } from '../page/view.ts';
import { elementTools } from '../page/tools.ts';
import { ARIA } from '../surface-ids.ts';

/** The page as its accessibility tree, every element with a reference; actions name a reference. */
export const ariaSurface = pageSurface({ id: ARIA, differences: NO_DIFFERENCES }, viewOf);
export const aria = ariaSurface();

interface ShownTree extends Shown {
  refs: ReadonlySet<string>;
}

function viewOf(files: readonly GivenFile[]): View<ShownTree> {
  return {
    tools: elementTools<ShownTree>(
      'ref',
      z.string().min(1).describe('Reference of the element, as in the latest snapshot, for example "e5"'),
      'Look at the current tab: its accessibility tree, with a reference for every element.',
      { locate, find },
      files,
    ),
    kind: 'snapshot',
    show: async (page, timing) => {
      const text = (await ariaTree(page, timing)) ?? '';
      return { text, refs: new Set(elementsOf(text).map(({ ref }) => ref)) };
    },
    bind: (intent, last) => bindAria(intent, last, null),
  };
}

export const bindAria = bindElements({ ...TAB_CALLS, ...elementCalls('ref') }, (step, last) =>
  last?.kind === 'snapshot' ? elementFor(step, elementsOf(last.text)) : undefined,
);

function locate(ref: string, shown: ShownTree | null): Located {
  if (shown === null) return { shown: false, matched_then: null };
  const isShown = shown.refs.has(ref);
  return { shown: isShown, matched_then: isShown ? 1 : 0 };
}

async function find(page: Page, ref: string, { shown }: Located, timing: Timing): Promise<Found> {
  if (!/^(f\d+)?e\d+$/.test(ref)) {
    return { count: 0, why: `"${ref}" is not a reference; take one from the latest snapshot, for example "e5"` };
  }
  const element = page.locator(`aria-ref=${ref}`);
  if (shown && (await isThere(element))) return { element };
  const why = `there is no element "${ref}" any more; look again and take a reference from the new snapshot`;
  // A new element must still be looked at first.
  const hasCome =
    !shown && elementsOf(await page.ariaSnapshot({ mode: 'ai', ...timing })).some((each) => each.ref === ref);
  return { count: hasCome ? 1 : 0, why };
}

/** Checked first, since an action would wait for an element that is gone. */
async function isThere(element: Locator): Promise<boolean> {
  try {
    return (await element.count()) > 0;
  } catch {
    // A reference into a frame that is gone.
    return false;
  }
}
