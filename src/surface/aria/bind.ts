import { isElementStep } from '../../task/element-step.ts';
import type { Binding, SurfaceIntent } from '../../task/intent.ts';
import type { ToolReply } from '../../task/tool.ts';
import { bindTab, callOn } from '../page/bind-tab.ts';
import { elementFor } from './element-for.ts';
import { elementsOf } from '../../task/snapshot-text.ts';

/**
 * A solution's step as a call of this surface. Elements are looked up in what the surface showed last; of several with
 * the same role and name, the first in the order of the page is meant.
 */
export function bindAria(intent: SurfaceIntent, last: ToolReply | null): Binding {
  if (!isElementStep(intent)) return bindTab(intent);
  const element = last?.kind === 'snapshot' ? elementFor(intent, elementsOf(last.text)) : undefined;
  if (element === undefined) return { kind: 'observe', call: { tool: 'snapshot', args: {} } };
  return callOn(intent, { ref: element.ref });
}
