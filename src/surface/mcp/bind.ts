import { compileGroups } from '../../contract/pattern.ts';
import type { Bind, Binding, SurfaceIntent } from '../../task/intent.ts';
import type { ToolCall, ToolReply } from '../../task/tool.ts';
import { elementFor, type ElementStep } from '../aria/element-for.ts';
import { elementsOf, type SnapshotElement } from '../aria/snapshot-text.ts';
import type { BindingFile, CallPattern } from './binding-file.ts';
import { filledObject, type Values } from './placeholders.ts';

/** The elements that a reply shows, in its order. */
type ElementsOf = (text: string) => SnapshotElement[];

/** How one session's steps are done; it knows the tab that was chosen last. Null: the server's file does not say. */
export function bindingOf(binding: BindingFile | null): Bind {
  if (binding === null) return () => ({ kind: 'impossible', why: 'its file has no binding for scripted steps' });
  const elements = elementsBy(binding);
  let tab = 1;
  return (intent, last) => {
    if (intent.do === 'switch_tab') tab = intent.index + 1;
    return bindStep(binding, elements, intent, last, tab);
  };
}

/** The elements that a reply of the server shows, by its own way to name them. */
export function elementsBy({ elements }: BindingFile): ElementsOf {
  return elements === 'aria' ? elementsOf : linesBy(elements);
}

function bindStep(
  binding: BindingFile,
  elements: ElementsOf,
  intent: SurfaceIntent,
  last: ToolReply | null,
  tab: number,
): Binding {
  switch (intent.do) {
    case 'click':
    case 'fill':
    case 'choose':
      return onElement(binding, elements, intent, last, tab);
    case 'go':
      return bound(intent.do, binding.go, { url: intent.url, tab });
    case 'press':
      return bound(intent.do, binding.press, { key: intent.key, tab });
    case 'switch_tab':
      return bound(intent.do, binding.switch_tab, { index: intent.index, tab });
    case 'dialog':
      return bound(intent.action, binding[intent.action], { text: intent.text ?? null, tab });
    case 'wait_for':
      return bound(intent.do, binding.wait_for, { text: intent.text, tab });
    case 'read':
      return bound(intent.do, binding.look, { tab });
    case 'call':
      return { kind: 'call', call: { tool: intent.tool, args: intent.args } };
  }
}

function onElement(
  binding: BindingFile,
  elements: ElementsOf,
  step: ElementStep,
  last: ToolReply | null,
  tab: number,
): Binding {
  const element = elementFor(step, elements(last?.text ?? ''));
  if (element === undefined) return { kind: 'observe', call: filled(binding.look, { tab }) };
  const text = step.do === 'fill' ? step.text : null;
  const option = step.do === 'choose' ? step.option : null;
  return bound(step.do, binding[step.do], { ...element, text, option, tab });
}

function bound(step: string, pattern: CallPattern | undefined, values: Values): Binding {
  if (pattern === undefined) return { kind: 'impossible', why: `its file binds no "${step}"` };
  return { kind: 'call', call: filled(pattern, values) };
}

function filled({ tool, args }: CallPattern, values: Values): ToolCall {
  return { tool, args: filledObject(args, values) };
}

function linesBy(pattern: string): ElementsOf {
  const groupsIn = compileGroups(pattern);
  return (text) =>
    text.split('\n').flatMap((line) => {
      const groups = groupsIn(line);
      if (groups === null) return [];
      const { ref = '', role = '', name = '' } = groups;
      return [{ ref, role, name }];
    });
}
