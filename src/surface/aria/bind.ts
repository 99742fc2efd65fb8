import type { JsonObject } from '../../contract/json.ts';
import type { Binding, SurfaceIntent } from '../../task/intent.ts';
import type { ToolReply } from '../../task/tool.ts';
import { bindTab } from '../page/bind-tab.ts';
import { elementFor, type ElementStep } from './element-for.ts';
import { elementsOf } from './snapshot-text.ts';
import type { AriaTool } from './tools.ts';

/**
 * A solution's step as a call of this surface. Elements are looked up in what the surface showed last; of several with
 * the same role and name, the first in the order of the page is meant.
 */
export function bindAria(intent: SurfaceIntent, last: ToolReply | null): Binding {
  switch (intent.do) {
    case 'click':
      return onElement(last, intent, 'click', {});
    case 'fill':
      return onElement(last, intent, 'fill', { text: intent.text });
    case 'choose':
      return onElement(last, intent, 'select', { option: intent.option });
    case 'go':
    case 'press':
    case 'switch_tab':
    case 'dialog':
    case 'wait_for':
    case 'read':
    case 'call':
      return bindTab(intent);
  }
}

function onElement(last: ToolReply | null, step: ElementStep, tool: AriaTool, args: JsonObject): Binding {
  const element = last?.kind === 'snapshot' ? elementFor(step, elementsOf(last.text)) : undefined;
  if (element === undefined) return { kind: 'observe', call: { tool: 'snapshot', args: {} } };
  return { kind: 'call', call: { tool, args: { ref: element.ref, ...args } } };
}
