import type { CapturedElement, CapturedNode } from '../../contract/dom/captured-tree.ts';
import { isDisabled } from '../../contract/dom/form-state.ts';
import type { ShownHtml } from './shown-html.ts';
import { MAX_TEXT, type Reading, textOf } from './shown-texts.ts';
import type { TabDocument } from './tab-reader.ts';

/** Roles that are named by what is in them. */
const BY_CONTENT: ReadonlySet<string> = new Set(
  'button link tab checkbox radio switch treeitem menuitem menuitemcheckbox menuitemradio option'.split(' '),
);
const LABELLED: ReadonlySet<string> = new Set(['input', 'select', 'textarea', 'button']);
/** Names that browsers write on buttons without one. */
const BUTTONS: Readonly<Record<string, string>> = { submit: 'Submit', reset: 'Reset' };

/** Most nodes that are read for the names in a document: a page of 250 000 characters has some 30 000. */
const MAX_READ = 3_000_000;

/**
 * The names that elements of a document have for whoever reads the HTML, in the order of "Accessible Name and Description
 * Computation". Elements are looked up by id and label, since each search through the document would be one for each element.
 */
export class DocumentNames {
  readonly #shown: ShownHtml;
  /** The first of an id. */
  readonly #byId = new Map<string, CapturedElement>();
  readonly #labels = new Map<string, CapturedElement[]>();
  /** Labels without `for`, by the first field in each, which is the one that they name (HTML standard, "labeled control"). */
  readonly #around = new Map<CapturedElement, CapturedElement>();
  readonly #texts = new Map<CapturedElement, string>();
  readonly #reading: Reading = { left: MAX_READ };

  constructor({ frame }: TabDocument, shown: ShownHtml) {
    this.#shown = shown;
    const used = new Set<CapturedElement>();
    for (const element of frame.elements) {
      const id = element.attributes.get('id');
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
      if (LABELLED.has(element.name)) this.#takeLabelAround(element, used);
      const named = element.name === 'label' ? element.attributes.get('for') : undefined;
      if (named === undefined) continue;
      const labels = this.#labels.get(named);
      if (labels === undefined) this.#labels.set(named, [element]);
      else labels.push(element);
    }
  }

  #takeLabelAround(field: CapturedElement, used: Set<CapturedElement>): void {
    const { written } = this.#shown;
    if (!written.has(field)) return;
    for (let { parent: at } = field; at.kind === 'element'; at = at.parent) {
      if (at.name !== 'label' || at.attributes.has('for')) continue;
      if (!used.has(at)) this.#around.set(field, at);
      used.add(at);
      return;
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

  /** That of the labels which name it, or of the one around it. */
  #labelOf(element: CapturedElement): string {
    if (!LABELLED.has(element.name)) return '';
    const id = element.attributes.get('id');
    const named = id === undefined ? [] : (this.#labels.get(id) ?? []);
    const around = this.#around.get(element);
    if (around === undefined) return this.#joined(named);
    const own = textOf(around, this.#shown, this.#reading, element);
    return named.length === 0 ? own : `${this.#joined(named)} ${own}`;
  }

  /** The texts of elements, as many as a name takes. */
  #joined(elements: readonly CapturedElement[]): string {
    const texts: string[] = [];
    let length = 0;
    for (const each of elements) {
      if (length >= MAX_TEXT || this.#reading.left <= 0) break;
      this.#reading.left -= 1;
      const text = this.#textOf(each);
      texts.push(text);
      length += text.length;
    }
    return texts.join(' ');
  }

  #textOf(element: CapturedElement): string {
    const known = this.#texts.get(element);
    if (known !== undefined) return known;
    const text = textOf(element, this.#shown, this.#reading);
    this.#texts.set(element, text);
    return text;
  }

  /** The texts of a list's options, in groups or not. */
  optionsOf({ children }: CapturedElement): string[] {
    return children
      .flatMap((child) => [child, ...(child.kind === 'element' ? child.children : [])])
      .filter(isOption)
      .filter((option) => !isDisabled(option))
      .map((option) => option.attributes.get('label') ?? this.#textOf(option))
      .filter((text) => text !== '');
  }

  /** Its text, else what its pictures are said to show. */
  #contentOf(element: CapturedElement): string {
    const text = this.#textOf(element);
    if (text !== '') return text;
    const alternatives: string[] = [];
    const left: CapturedNode[] = [element];
    for (let node = left.pop(); node !== undefined && this.#reading.left > 0; node = left.pop()) {
      this.#reading.left -= 1;
      if (node.kind !== 'element') continue;
      if (node !== element && node.name === 'img' && this.#shown.written.has(node))
        alternatives.push(node.attributes.get('alt') ?? '');
      this.#reading.left -= node.children.length;
      for (const child of node.children.toReversed()) left.push(child);
    }
    return alternatives.join(' ');
  }
}

function isOption(node: CapturedNode): node is CapturedElement {
  return node.kind === 'element' && node.name === 'option';
}
