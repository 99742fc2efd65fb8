import type { JsonObject } from '../../contract/json.ts';
import type { Bind, Binding } from '../../task/intent.ts';
import type { ToolReply } from '../../task/tool.ts';
import { elementFor, type ElementStep } from '../aria/element-for.ts';
import { mcpSurface } from './mcp-surface.ts';
import { programOf } from './tool-server.ts';

/** A solution's step with the tools of Playwright MCP, whose snapshots name elements as our own do. */
const bind: Bind = (intent, last) => {
  switch (intent.do) {
    case 'go':
      return call('browser_navigate', { url: intent.url });
    case 'click':
      return onElement(last, intent, 'browser_click', {});
    case 'fill':
      return onElement(last, intent, 'browser_type', { text: intent.text });
    case 'choose':
      return onElement(last, intent, 'browser_select_option', { values: [intent.option] });
    case 'press':
      return call('browser_press_key', { key: intent.key });
    case 'switch_tab':
      return call('browser_tabs', { action: 'select', index: intent.index });
    case 'dialog': {
      const text = intent.text === undefined ? {} : { promptText: intent.text };
      return call('browser_handle_dialog', { accept: intent.action === 'accept', ...text });
    }
    case 'wait_for':
      return call('browser_wait_for', { text: intent.text });
    case 'read':
      return call('browser_snapshot', {});
    case 'call':
      return { kind: 'call', call: { tool: intent.tool, args: intent.args } };
  }
};

/** Microsoft's server for browsers, attached to ours. */
export const playwrightMcp = mcpSurface({
  id: 'playwright-mcp',
  program: programOf('@playwright/mcp', 'cli.js'),
  args: ['--cdp-endpoint', '{{cdpUrl}}'],
  bind,
});

function onElement(last: ToolReply | null, step: ElementStep, tool: string, args: JsonObject): Binding {
  const element = elementFor(step, last?.text ?? '');
  if (element === undefined) return { kind: 'observe', call: { tool: 'browser_snapshot', args: {} } };
  return call(tool, { element: element.name, target: element.ref, ...args });
}

function call(tool: string, args: JsonObject): Binding {
  return { kind: 'call', call: { tool, args } };
}
