import type { SeenElement, Sight } from '../../task/sight.ts';
import type { NacShown, ShownElement } from './shown.ts';

/** The ARIA role of what NAC3 gives this role; of every other, that of a button. */
const ROLES: Readonly<Record<string, string>> = {
  tab: 'tab',
  step: 'tab',
  navigation: 'link',
  'breadcrumb-item': 'link',
  option: 'radio',
};
const HELD: ReadonlySet<string> = new Set(['field', 'filter-control']);
/** Roles of text, with nothing to act on. */
const READ: ReadonlySet<string> = new Set(['plugin', 'section', 'region', 'feedback', 'data-table', 'confirm-dialog']);

/** Returns what an agent was shown of a page, without what is hidden, disabled or not in the page. */
export function nacSight({ plugins, tables = [] }: NacShown): Sight {
  const all = plugins.flatMap(({ elements }) => elements);
  return {
    elements: all
      .filter(
        ({ role, label, hidden, disabled, not_in_page: absent }) =>
          label !== undefined && !READ.has(role) && !(hidden || disabled || absent),
      )
      .map((element) => seen(element, all)),
    texts: [
      ...all.map(({ label, value }) => [label, value].filter((part) => part !== undefined).join(' ')),
      ...tables.flatMap(({ rows = [], cells = [] }) => [...rows, ...cells].map(lineOf)),
    ].filter(hasText),
  };
}

function seen(element: ShownElement, all: readonly ShownElement[]): SeenElement {
  const options = HELD.has(element.role) ? optionsOf(element, all) : [];
  return { role: roleOf(element, options), name: (element.label ?? '').replaceAll(/\s+/g, ' ').trim(), options };
}

/** Those that it has itself, and the elements that are its options. */
function optionsOf({ nac_id: id, options = [] }: ShownElement, all: readonly ShownElement[]): string[] {
  const elements = all.filter(({ role, nac_id: nacId }) => role === 'option' && nacId.startsWith(`${id}.`));
  return [...options, ...elements].flatMap(({ label }) => (label === undefined || label === '' ? [] : [label]));
}

function roleOf({ role, checked, field_type: type }: ShownElement, options: readonly string[]): string {
  if (!HELD.has(role)) return ROLES[role] ?? 'button';
  if (options.length > 0) return 'combobox';
  if (checked !== undefined) return type === 'radio' ? 'radio' : 'checkbox';
  return role === 'field' ? 'textbox' : 'button';
}

/** The cells of a row, without what is no text and no number. */
function lineOf(row: Readonly<Record<string, unknown>>): string {
  return Object.values(row)
    .flatMap((cell) => (typeof cell === 'string' || typeof cell === 'number' ? [cell] : []))
    .join(' ');
}

function hasText(text: string): boolean {
  return text !== '';
}
