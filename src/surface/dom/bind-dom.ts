import type { Page } from 'playwright-core';
import { isElementStep } from '../../task/element-step.ts';
import type { Binding, SurfaceIntent } from '../../task/intent.ts';
import type { ToolReply } from '../../task/tool.ts';
import { bindTab, callOn } from '../page/bind-tab.ts';
import { elementOfStep } from '../page/oracle.ts';
import type { ShownHtml } from './shown-html.ts';
import { find, sighting } from './elements.ts';
import { selectorsOf } from './selectors-of.ts';

const LOOK: Binding = { kind: 'observe', call: { tool: 'snapshot', args: {} } };

/**
 * A solution's step as a call of this surface: of the element that the step means, a selector that means it alone, in what
 * the agent was shown last as well as now.
 */
export async function bindDom(
  intent: SurfaceIntent,
  last: ToolReply | null,
  { shown, page }: { shown: ShownHtml | null; page: Page },
): Promise<Binding> {
  if (!isElementStep(intent)) return bindTab(intent);
  if (last?.kind !== 'html') return LOOK;
  const element = await elementOfStep(page, intent);
  if (element === null) return LOOK;
  for (const selector of await selectorsOf(element)) {
    const before = sighting(selector, shown);
    if (!before.shown || before.matched_then !== 1 || !('element' in (await find(page, selector)))) continue;
    return callOn(intent, { selector });
  }
  return LOOK;
}
