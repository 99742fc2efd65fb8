import type { CapturedElement } from '../../contract/dom/captured-tree.ts';

/** Roles of `input` by its type; a type that is not here takes text. Null: nobody sees it. */
const INPUTS: Readonly<Record<string, string | null>> = {
  hidden: null,
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
  file: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  search: 'searchbox',
  number: 'spinbutton',
  range: 'slider',
};

/** The role that an element has by its attribute, else by its tag (HTML AAM); null for what nobody acts on. */
export function roleOf({ name, attributes }: CapturedElement): string | null {
  const [named = ''] = (attributes.get('role') ?? '').trim().split(/\s+/);
  if (named !== '') return named;
  switch (name) {
    case 'button':
      return 'button';
    case 'a':
    case 'area':
      return attributes.has('href') ? 'link' : null;
    case 'textarea':
      return 'textbox';
    case 'select':
      return attributes.has('multiple') || Number(attributes.get('size') ?? 1) > 1 ? 'listbox' : 'combobox';
    case 'input': {
      const type = (attributes.get('type') ?? 'text').toLowerCase();
      return Object.hasOwn(INPUTS, type) ? (INPUTS[type] ?? null) : 'textbox';
    }
    default:
      return null;
  }
}
