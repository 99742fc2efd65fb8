import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../contract/json.ts';
import type { Bind, Binding } from '../../task/intent.ts';
import type { ElementStep } from '../aria/element-for.ts';
import { installedPackage } from '../installed-package.ts';
import { mcpSurface } from '../mcp/mcp-surface.ts';
import type { EndpointSurface } from '../surface.ts';
import type { LibraryTools } from './tools.ts';

interface LibraryTraits {
  /** As on the command line and in rows. */
  id: string;
  /** The npm package that it is. */
  packageName: string;
  /** Address of the module that describes it; `server`, which serves its tools, stands beside it. */
  module: string;
  /** The selector of the element that a step means, from what was shown last; undefined when it does not show one. */
  selectorFor: (step: ElementStep, shown: string) => string | undefined;
}

/** A library as a surface: served by a process of ours, as third-party tools are by theirs. */
export function librarySurface({ id, packageName, module, selectorFor }: LibraryTraits): EndpointSurface {
  const found = installedPackage(packageName);
  // TypeScript in a clone, JavaScript where it is installed.
  const script = fileURLToPath(new URL(`server${path.extname(module)}`, module));
  const program = 'missing' in found ? found : { script, version: found.version };
  return mcpSurface({ id, program, args: ['{{cdpUrl}}'], bind: bindWith(selectorFor) });
}

/** A solution's step as a call of the tools that all libraries share. */
export function bindWith(selectorFor: LibraryTraits['selectorFor']): Bind {
  return (intent, last) => {
    const onElement = (step: ElementStep, tool: keyof LibraryTools, args: JsonObject): Binding => {
      const selector = last?.ok === true ? selectorFor(step, last.text) : undefined;
      if (selector === undefined) return { kind: 'observe', call: { tool: 'snapshot', args: {} } };
      return call(tool, { selector, ...args });
    };
    switch (intent.do) {
      case 'go':
        return call('navigate', { url: intent.url });
      case 'click':
        return onElement(intent, 'click', {});
      case 'fill':
        return onElement(intent, 'fill', { text: intent.text });
      case 'choose':
        return onElement(intent, 'select', { option: intent.option });
      case 'press':
        return call('press', { key: intent.key });
      case 'switch_tab':
        return call('tabs', { index: intent.index });
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
}

function call(tool: keyof LibraryTools, args: JsonObject): Binding {
  return { kind: 'call', call: { tool, args } };
}
