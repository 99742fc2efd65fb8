import { compileGroups } from '../../contract/pattern.ts';
import type { Bind, Binding, SurfaceIntent } from '../../task/intent.ts';
import type { ToolReply } from '../../task/tool.ts';
import { elementFor } from '../aria/element-for.ts';
import type { ElementStep } from '../../task/element-step.ts';
import { elementIn, type SnapshotElement } from '../../task/snapshot-text.ts';
import type { SeatTab } from '../surface.ts';
import type { BindingFile, CallPattern } from './binding-file.ts';
import { filledObject, placeholdersIn, type Values } from './placeholders.ts';

/** The elements that a reply shows, in its order. */
type ElementsOf = (text: string) => SnapshotElement[];

/** Says that a surface's file binds no step at all. */
export const NO_BINDING = 'its file has no binding for scripted steps';

/** Binds the steps of one session; it knows the tab that was chosen last. Null: the server's file does not say how. */
export function bindingOf(binding: BindingFile | null, tabs: () => readonly SeatTab[]): Bind {
  if (binding === null) return () => ({ kind: 'impossible', why: NO_BINDING });
  const elements = elementsBy(binding);
  const chosen = new ChosenTab(tabs);
  return (intent, last) => {
    if (intent.do === 'switch_tab') chosen.choose(intent.index);
    return bindStep(binding, elements, intent, last, chosen.values);
  };
}

/**
 * The tab that was chosen last. A solution counts the tabs that pages open; the tools number them as they are in the browser,
 * their own among them.
 */
export class ChosenTab {
  readonly #tabs: () => readonly SeatTab[];
  #chosen: { index: number; id: string } | null = null;

  constructor(tabs: () => readonly SeatTab[]) {
    this.#tabs = tabs;
  }

  /** @param index as a solution counts, from 0 */
  choose(index: number): void {
    const all = this.#tabs();
    const meant = all.filter(({ isTools }) => !isTools)[index];
    this.#chosen = meant === undefined ? { index, id: '' } : { index: all.indexOf(meant), id: meant.id };
  }

  /** `tab` from 1, `index` from 0; `tab_id` is null where no such tab is open. */
  get values(): Values {
    const { index, id } = this.#chosen ?? { index: 0, id: this.#tabs()[0]?.id ?? '' };
    return { index, tab: index + 1, tab_id: id === '' ? null : id };
  }
}

/** The elements that a reply of the server shows, by its own ways to name them. */
export function elementsBy({ elements }: BindingFile): ElementsOf {
  const ways = elements.map(elementInLine);
  return (text) =>
    text.split('\n').flatMap((line) => {
      for (const way of ways) {
        const element = way(line);
        if (element !== null) return [element];
      }
      return [];
    });
}

function bindStep(
  binding: BindingFile,
  elements: ElementsOf,
  intent: SurfaceIntent,
  last: ToolReply | null,
  { index, ...tab }: Values,
): Binding {
  switch (intent.do) {
    case 'click':
    case 'fill':
    case 'choose':
      return onElement(binding, elements, intent, last, tab);
    case 'go':
      return bound(intent.do, binding.go, { url: intent.url, ...tab });
    case 'press':
      return bound(intent.do, binding.press, { key: intent.key, ...tab });
    case 'switch_tab':
      return bound(intent.do, binding.switch_tab, { index: index ?? null, ...tab });
    case 'dialog':
      return bound(intent.action, binding[intent.action], { text: intent.text ?? null, ...tab });
    case 'wait_for':
      return bound(intent.do, binding.wait_for, { text: intent.text, ...tab });
    case 'read':
      return bound(intent.do, binding.look, tab);
    case 'call':
      return { kind: 'call', call: { tool: intent.tool, args: intent.args } };
  }
}

function onElement(
  binding: BindingFile,
  elements: ElementsOf,
  step: ElementStep,
  last: ToolReply | null,
  tab: Values,
): Binding {
  const element = elementFor(step, elements(last?.text ?? ''));
  if (element === undefined) {
    const look = bound('look', binding.look, tab);
    return look.kind === 'call' ? { kind: 'observe', call: look.call } : look;
  }
  const text = step.do === 'fill' ? step.text : null;
  const option = step.do === 'choose' ? step.option : null;
  return bound(step.do, binding[step.do], { ...element, text, option, ...tab });
}

function bound(step: string, pattern: CallPattern | undefined, values: Values): Binding {
  if (pattern === undefined) return { kind: 'impossible', why: `its file binds no "${step}"` };
  if (values['tab_id'] === null && placeholdersIn(JSON.stringify(pattern.args)).includes('tab_id')) {
    return { kind: 'impossible', why: `no page has opened a tab ${values['tab']}` };
  }
  return { kind: 'call', call: { tool: pattern.tool, args: filledObject(pattern.args, values) } };
}

function elementInLine(pattern: string): (line: string) => SnapshotElement | null {
  if (pattern === 'aria') return elementIn;
  const groupsIn = compileGroups(pattern);
  return (line) => {
    const groups = groupsIn(line);
    if (groups === null) return null;
    const { ref = '', role = '', name = '' } = groups;
    return { ref, role, name };
  };
}
