import type { CapturedElement } from '../../contract/dom/captured-tree.ts';
import type { ShownHtml } from './shown-html.ts';
import { textOf } from './shown-texts.ts';
import type { TabDocument } from './tab-reader.ts';

/** Roles that are named by what is in them. */
const BY_CONTENT: ReadonlySet<string> = new Set(
  'button link tab checkbox radio switch treeitem menuitem menuitemcheckbox menuitemradio option'.split(' '),
);
const LABELLED: ReadonlySet<string> = new Set(['input', 'select', 'textarea', 'button']);

/** The name that an element has for whoever reads the HTML, in the order of "Accessible Name and Description Computation". */
export function nameOfElement(element: CapturedElement, role: string, tab: TabDocument, shown: ShownHtml): string {
  const { name, attributes } = element;
  const type = attributes.get('type')?.toLowerCase() ?? '';
  const isButton = name === 'input' && role === 'button';
  const names = [
    () => labelledBy(element, tab, shown),
    () => attributes.get('aria-label'),
    () => (isButton ? (attributes.get('value') ?? attributes.get('alt') ?? BUTTONS[type]) : undefined),
    () => labelOf(element, tab, shown),
    () => (name !== 'input' && BY_CONTENT.has(role) ? contentOf(element, tab, shown) : undefined),
    () => attributes.get('title'),
    () => attributes.get('placeholder'),
  ];
  for (const read of names) {
    const text = (read() ?? '').replaceAll(/\s+/g, ' ').trim();
    if (text !== '') return text;
  }
  return '';
}

/** Names that browsers write on buttons without one. */
const BUTTONS: Readonly<Record<string, string>> = { submit: 'Submit', reset: 'Reset' };

function labelledBy({ attributes }: CapturedElement, { frame }: TabDocument, shown: ShownHtml): string {
  const ids = (attributes.get('aria-labelledby') ?? '').split(/\s+/).filter((id) => id !== '');
  return ids
    .flatMap((id) => frame.elements.find((each) => each.attributes.get('id') === id) ?? [])
    .map((each) => textOf(each, shown))
    .join(' ');
}

/** That of the labels which name it, or which it stands in. */
function labelOf(element: CapturedElement, { frame }: TabDocument, shown: ShownHtml): string {
  if (!LABELLED.has(element.name)) return '';
  const id = element.attributes.get('id');
  return frame.elements
    .filter((each) => each.name === 'label')
    .filter((label) => {
      const named = label.attributes.get('for');
      return named === undefined ? holds(label, element) : named === id;
    })
    .map((label) => textOf(label, shown, element))
    .join(' ');
}

function holds(label: CapturedElement, { parent }: CapturedElement): boolean {
  for (let at = parent; at.kind === 'element'; at = at.parent) if (at === label) return true;
  return false;
}

/** Its text, else what its pictures are said to show. */
function contentOf(element: CapturedElement, { frame }: TabDocument, shown: ShownHtml): string {
  const text = textOf(element, shown);
  if (text !== '') return text;
  const pictures = frame.elements.filter(
    (each) => each.name === 'img' && shown.written.has(each) && holds(element, each),
  );
  return pictures.map(({ attributes }) => attributes.get('alt') ?? '').join(' ');
}
