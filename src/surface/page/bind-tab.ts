import type { Binding, SurfaceIntent } from '../../task/intent.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { PAGE_TOOLS } from './tools.ts';
import type { ElementStep } from '../aria/element-for.ts';

/** A step that names no element, as a call of the tools that every surface of ours has. */
export function bindTab(intent: Exclude<SurfaceIntent, ElementStep>): Binding {
  switch (intent.do) {
    case 'go':
      return callOf('navigate', { url: intent.url });
    case 'press':
      return callOf('press', { key: intent.key });
    case 'switch_tab':
      return callOf('tabs', { action: 'select', index: intent.index });
    case 'dialog':
      return callOf('dialog', { action: intent.action, ...(intent.text === undefined ? {} : { text: intent.text }) });
    case 'wait_for':
      return callOf('wait', { text: intent.text });
    case 'read':
      return callOf('snapshot', {});
    case 'call':
      return { kind: 'call', call: { tool: intent.tool, args: intent.args } };
  }
}

function callOf(tool: keyof typeof PAGE_TOOLS | 'snapshot', args: JsonObject): Binding {
  return { kind: 'call', call: { tool, args } };
}
