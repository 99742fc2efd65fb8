import type { ElementStep } from '../../task/element-step.ts';
import type { Binding, SurfaceIntent } from '../../task/intent.ts';
import type { JsonObject } from '../../contract/json.ts';

export type CallBinding = Extract<Binding, { kind: 'call' }>;

interface Words {
  /** The tool that looks. */
  look?: string;
  /** The arguments that bring a tab to the front. */
  tab?: (index: number) => JsonObject;
}

/** A step that names no element, as a call of the tools that nearly every surface has. */
export function bindTab(
  intent: Exclude<SurfaceIntent, ElementStep>,
  { look = 'snapshot', tab = selected }: Words = {},
) {
  switch (intent.do) {
    case 'go':
      return callOf('navigate', { url: intent.url });
    case 'press':
      return callOf('press', { key: intent.key });
    case 'switch_tab':
      return callOf('tabs', tab(intent.index));
    case 'dialog':
      return callOf('dialog', { action: intent.action, ...(intent.text === undefined ? {} : { text: intent.text }) });
    case 'wait_for':
      return callOf('wait', { text: intent.text });
    case 'read':
      return callOf(look, {});
    case 'call':
      return callOf(intent.tool, intent.args);
  }
}

/** A step on an element that has been found, as a call that names it by these arguments. */
export function callOn(step: ElementStep, target: JsonObject): CallBinding {
  switch (step.do) {
    case 'click':
      return callOf('click', target);
    case 'fill':
      return callOf('fill', { ...target, text: step.text });
    case 'choose':
      return callOf('select', { ...target, option: step.option });
  }
}

export function callOf(tool: string, args: JsonObject): CallBinding {
  return { kind: 'call', call: { tool, args } };
}

function selected(index: number): JsonObject {
  return { action: 'select', index };
}
