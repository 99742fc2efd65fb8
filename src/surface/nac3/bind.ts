import { type ElementStep, isElementStep } from '../../task/element-step.ts';
import type { Bind, Binding } from '../../task/intent.ts';
import type { ToolReply } from '../../task/tool.ts';
import { bindTab, callOf } from '../page/bind-tab.ts';
import { shownIn } from './shown-text.ts';
import type { NacShown, ShownElement, ShownPlugin } from './shown.ts';

/** The roles of NAC3 that what a user knows by an ARIA role may have; of every other, those of a button. */
const ROLES: Record<string, readonly string[]> = {
  button:
    'action confirm-button sort-control filter-control pagination-item step accordion-toggle navigation button'.split(
      ' ',
    ),
  link: ['navigation', 'breadcrumb-item', 'pagination-item', 'action', 'button'],
  tab: ['tab', 'step'],
  checkbox: ['field', 'option', 'filter-control'],
  radio: ['option', 'field'],
  switch: ['field', 'option'],
  option: ['option'],
  menuitem: ['action', 'option', 'navigation'],
  textbox: ['field'],
  searchbox: ['field'],
  spinbutton: ['field'],
  combobox: ['field'],
};

/**
 * A solution's step as a call of this surface: the element is the first of the page that is not hidden, has the name for its
 * label and a role that goes with the step's.
 */
export const bindNac3: Bind = (intent, last) => {
  if (!isElementStep(intent)) return bindTab(intent, { look: 'describe' });
  return onElement(intent, last) ?? { kind: 'observe', call: { tool: 'describe', args: {} } };
};

function onElement(intent: ElementStep, last: ToolReply | null): Binding | null {
  const shown = last === null ? null : shownIn(last.text);
  if (shown === null) return null;
  switch (intent.do) {
    case 'click': {
      const found = labelled(shown, ROLES[intent.role] ?? ROLES['button'] ?? [], intent.name);
      if (found === null) return null;
      const { plugin, element } = found;
      return element.role === 'tab'
        ? callOf('tab', { plugin: plugin.plugin, tab_key: element.nac_id })
        : callOf('click', { nac_id: element.nac_id });
    }
    case 'fill': {
      const found = labelled(shown, ['field'], intent.label);
      return found === null ? null : callOf('fill', { nac_id: found.element.nac_id, value: intent.text });
    }
    case 'choose': {
      const found = labelled(shown, ['field', 'filter-control'], intent.label);
      return found === null ? null : callOf('select', { nac_id: found.element.nac_id, value: intent.option });
    }
  }
}

function labelled(
  { plugins }: NacShown,
  roles: readonly string[],
  name: string,
): { plugin: ShownPlugin; element: ShownElement } | null {
  const wanted = spaced(name);
  for (const plugin of plugins) {
    const element = plugin.elements.find(
      ({ role, label = '', hidden, not_in_page: absent }) =>
        hidden !== true && absent !== true && roles.includes(role) && spaced(label) === wanted,
    );
    if (element !== undefined) return { plugin, element };
  }
  return null;
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
