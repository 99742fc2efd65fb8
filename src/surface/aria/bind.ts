import type { Bind, Binding } from '../../task/intent.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { ToolReply } from '../../task/tool.ts';
import type { AriaTool } from './tools.ts';
import { elementFor, type ElementStep } from './element-for.ts';
import { elementsOf } from './snapshot-text.ts';

/**
 * A solution's step as a call of this surface. Elements are looked up in what the surface showed last; of several with
 * the same role and name, the first in the order of the page is meant.
 */
export const bindAria: Bind = (intent, last) => {
  switch (intent.do) {
    case 'go':
      return call('navigate', { url: intent.url });
    case 'click':
      return onElement(last, intent, 'click', {});
    case 'fill':
      return onElement(last, intent, 'fill', { text: intent.text });
    case 'choose':
      return onElement(last, intent, 'select', { option: intent.option });
    case 'press':
      return call('press', { key: intent.key });
    case 'switch_tab':
      return call('tabs', { action: 'select', index: intent.index });
    case 'dialog':
      return call('dialog', { action: intent.action, ...(intent.text === undefined ? {} : { text: intent.text }) });
    case 'wait_for':
      return call('wait', { text: intent.text });
    case 'read':
      return call('snapshot', {});
    case 'call':
      return { kind: 'call', call: { tool: intent.tool, args: intent.args } };
  }
};

function onElement(last: ToolReply | null, step: ElementStep, tool: AriaTool, args: JsonObject): Binding {
  const element = last?.kind === 'snapshot' ? elementFor(step, elementsOf(last.text)) : undefined;
  if (element === undefined) return { kind: 'observe', call: { tool: 'snapshot', args: {} } };
  return call(tool, { ref: element.ref, ...args });
}

function call(tool: AriaTool, args: JsonObject): Binding {
  return { kind: 'call', call: { tool, args } };
}
