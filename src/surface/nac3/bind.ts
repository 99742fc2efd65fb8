import { type ElementStep, isElementStep, nameOf, type Bind } from '../../task/intent.ts';
import { bindElement, bindTab, callOf, TAB_CALLS, type Calls } from '../binding.ts';
import { shownIn, type NacShown, type ShownElement, type ShownPlugin } from './shown.ts';

const CALLS: Calls = {
  ...TAB_CALLS,
  look: callOf('describe', {}),
  click: callOf('click', { nac_id: '{{ref}}' }),
  fill: callOf('fill', { nac_id: '{{ref}}', value: '{{text}}' }),
  choose: callOf('select', { nac_id: '{{ref}}', value: '{{option}}' }),
};
/** Tabs of the page have their own tool. */
const CALLS_ON_TAB: Calls = { ...CALLS, click: callOf('tab', { plugin: '{{plugin}}', tab_key: '{{ref}}' }) };

/** The roles of NAC3 for each ARIA role; for every other, those of a button. */
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

/** Binds a step to the first visible element with the label and a fitting role. */
export const bindNac3: Bind = (intent, last) => {
  if (!isElementStep(intent)) return bindTab(CALLS, intent);
  if (nameOf(intent) === '') return { kind: 'impossible', why: 'it lists elements by their labels only' };
  const shown = last === null ? null : shownIn(last.text);
  const found = shown === null ? undefined : elementIn(shown, intent);
  const calls = found?.element.role === 'tab' ? CALLS_ON_TAB : CALLS;
  return bindElement(calls, intent, () => found && { ref: found.element.nac_id, plugin: found.plugin.plugin });
};

function elementIn(
  { plugins }: NacShown,
  step: ElementStep,
): { plugin: ShownPlugin; element: ShownElement } | undefined {
  const roles = rolesOf(step);
  const wanted = spaced(nameOf(step));
  for (const plugin of plugins) {
    const element = plugin.elements.find(
      ({ role, label = '', hidden, not_in_page: absent }) =>
        hidden !== true && absent !== true && roles.includes(role) && spaced(label) === wanted,
    );
    if (element !== undefined) return { plugin, element };
  }
  return undefined;
}

function rolesOf(step: ElementStep): readonly string[] {
  if ('role' in step && step.role !== undefined) return ROLES[step.role] ?? ROLES['button'] ?? [];
  return step.do === 'fill' ? ['field'] : ['field', 'filter-control'];
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
