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

/** Most options of a field that are listed: each of many fields could have all that the page has. */
const MAX_OPTIONS = 1_000;

/** Returns what an agent was shown of a page, without what is hidden, disabled or not in the page. */
export function nacSight({ plugins, tables = [] }: NacShown): Sight {
  const all = plugins.flatMap(({ elements }) => elements);
  const options = new OptionElements(all);
  return {
    elements: all
      .filter(
        ({ role, label, hidden, disabled, not_in_page: absent }) =>
          label !== undefined && !READ.has(role) && !(hidden || disabled || absent),
      )
      .map((element) => seen(element, options)),
    texts: [
      ...all.map(({ label, value }) => [label, value].filter((part) => part !== undefined).join(' ')),
      ...tables.flatMap(({ rows = [], cells = [] }) => [...rows, ...cells].map(lineOf)),
    ].filter((text) => text !== ''),
  };
}

function seen(element: ShownElement, elements: OptionElements): SeenElement {
  const options = HELD.has(element.role) ? optionsOf(element, elements) : [];
  return { role: roleOf(element, options), name: (element.label ?? '').replaceAll(/\s+/g, ' ').trim(), options };
}

/** Those that it has itself, and the elements that are its options. */
function optionsOf({ nac_id: id, options = [] }: ShownElement, elements: OptionElements): string[] {
  const others = elements.labelsBelow(id);
  return options.length === 0 ? others : [...labelsOf(options), ...others].slice(0, MAX_OPTIONS);
}

function labelsOf(options: readonly { label?: string | undefined }[]): string[] {
  return options.flatMap(({ label }) => (label === undefined || label === '' ? [] : [label]));
}

/** The elements of the role `option`, found by the id of the field that they belong to: sorted, as a search for each field would be one through all. */
class OptionElements {
  readonly #sorted: readonly { element: ShownElement; at: number }[];
  readonly #known = new Map<string, string[]>();

  constructor(all: readonly ShownElement[]) {
    this.#sorted = all
      .map((element, at) => ({ element, at }))
      .filter(({ element }) => element.role === 'option')
      .toSorted((a, b) => inOrder(a.element.nac_id, b.element.nac_id));
  }

  labelsBelow(id: string): string[] {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    // "/" is the character after ".".
    const first = this.#first(`${id}.`);
    const below = this.#sorted.slice(first, Math.min(this.#first(`${id}/`), first + MAX_OPTIONS));
    const labels = labelsOf(below.toSorted((a, b) => a.at - b.at).map(({ element }) => element));
    this.#known.set(id, labels);
    return labels;
  }

  /** The place of the first id that is not before this one. */
  #first(id: string): number {
    let [least, most] = [0, this.#sorted.length];
    while (least < most) {
      const middle = Math.floor((least + most) / 2);
      if ((this.#sorted[middle]?.element.nac_id ?? '') < id) least = middle + 1;
      else most = middle;
    }
    return least;
  }
}

function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
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
