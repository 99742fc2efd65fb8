import type { CapturedElement, CapturedNode } from '../../contract/dom/captured-tree.ts';
import type { ShownHtml } from './shown-html.ts';
import { MAX_TEXT, textOf } from './shown-texts.ts';
import type { TabDocument } from './tab-reader.ts';

/** Roles that are named by what is in them. */
const BY_CONTENT: ReadonlySet<string> = new Set(
  'button link tab checkbox radio switch treeitem menuitem menuitemcheckbox menuitemradio option'.split(' '),
);
const LABELLED: ReadonlySet<string> = new Set(['input', 'select', 'textarea', 'button']);
/** Names that browsers write on buttons without one. */
const BUTTONS: Readonly<Record<string, string>> = { submit: 'Submit', reset: 'Reset' };

/**
 * The names that elements of a document have for whoever reads the HTML, in the order of "Accessible Name and Description
 * Computation". Elements are looked up by id and label, since each search through the document would be one for each element.
 */
export class DocumentNames {
  readonly #shown: ShownHtml;
  /** The first of an id. */
  readonly #byId = new Map<string, CapturedElement>();
  /** Labels with `for`, by its value. */
  readonly #labels = new Map<string, CapturedElement[]>();

  constructor({ frame }: TabDocument, shown: ShownHtml) {
    this.#shown = shown;
    for (const element of frame.elements) {
      const id = element.attributes.get('id');
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
      const named = element.name === 'label' ? element.attributes.get('for') : undefined;
      if (named === undefined) continue;
      const labels = this.#labels.get(named);
      if (labels === undefined) this.#labels.set(named, [element]);
      else labels.push(element);
    }
  }

  nameOf(element: CapturedElement, role: string): string {
    const { name, attributes } = element;
    const type = attributes.get('type')?.toLowerCase() ?? '';
    const isButton = name === 'input' && role === 'button';
    const names = [
      () => this.#labelledBy(element),
      () => attributes.get('aria-label'),
      () => (isButton ? (attributes.get('value') ?? attributes.get('alt') ?? BUTTONS[type]) : undefined),
      () => this.#labelOf(element),
      () => (name !== 'input' && BY_CONTENT.has(role) ? this.#contentOf(element) : undefined),
      () => attributes.get('title'),
      () => attributes.get('placeholder'),
    ];
    for (const read of names) {
      const text = (read() ?? '').slice(0, MAX_TEXT).replaceAll(/\s+/g, ' ').trim();
      if (text !== '') return text;
    }
    return '';
  }

  #labelledBy({ attributes }: CapturedElement): string {
    const ids = attributes.get('aria-labelledby') ?? '';
    return this.#joined(ids.split(/\s+/).flatMap((id) => this.#byId.get(id) ?? []));
  }

  /** That of the labels which name it, or which it stands in. */
  #labelOf(element: CapturedElement): string {
    if (!LABELLED.has(element.name)) return '';
    const id = element.attributes.get('id');
    const named = id === undefined ? [] : (this.#labels.get(id) ?? []);
    const around: CapturedElement[] = [];
    for (let { parent: at } = element; at.kind === 'element'; at = at.parent)
      if (at.name === 'label' && !at.attributes.has('for')) around.push(at);
    return this.#joined(
      [...named, ...around].toSorted((a, b) => a.index - b.index),
      element,
    );
  }

  /** The texts of elements, as many as a name takes. */
  #joined(elements: readonly CapturedElement[], leave?: CapturedElement): string {
    const texts: string[] = [];
    let length = 0;
    for (const each of elements) {
      if (length >= MAX_TEXT) break;
      const text = textOf(each, this.#shown, leave);
      texts.push(text);
      length += text.length;
    }
    return texts.join(' ');
  }

  /** Its text, else what its pictures are said to show. */
  #contentOf(element: CapturedElement): string {
    const text = textOf(element, this.#shown);
    if (text !== '') return text;
    const alternatives: string[] = [];
    const left: CapturedNode[] = [element];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      if (node.kind !== 'element') continue;
      if (node !== element && node.name === 'img' && this.#shown.written.has(node))
        alternatives.push(node.attributes.get('alt') ?? '');
      for (const child of node.children.toReversed()) left.push(child);
    }
    return alternatives.join(' ');
  }
}
