import {
  parentElement,
  showsContent,
  type CapturedElement,
  type CapturedNode,
  type CapturedText,
} from './captured-tree.ts';
import { TextFlow } from './text-flow.ts';

/**
 * The text that a user sees of an element, from the capture alone: `innerText` (HTML standard, "rendered text collection
 * steps"), without list markers, generated content and values of fields.
 *
 * It differs where `innerText` shows what is not rendered, or hides what is: an element that is not rendered has no text, the
 * text of a shadow tree belongs to its host in the order of the flat tree, and so does the content of a list box other than its
 * options. An option has its own text while its list box is shown, laid out or not.
 */
export function renderedText(element: CapturedElement): string {
  const flow = new TextFlow();
  new TextWalk(flow).walk(element);
  return flow.toString();
}

const BLOCKS = words(
  'block flow-root list-item flex grid table table-caption table-row table-row-group table-header-group ' +
    'table-footer-group -webkit-box',
);
const INLINE_BLOCKS = words('inline-block inline-flex inline-grid inline-table -webkit-inline-box math');
/** Elements that are one thing in a line, unless they show their children, as an object that failed to load. */
const OBJECTS = words('img input textarea canvas video audio iframe object embed meter progress');

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/**
 * Walks the flat tree with a list of what is left, so no page is too deep. It enters every element by any name: the
 * browser laid its content out. `list` is the list box around it.
 */
class TextWalk {
  readonly #flow: TextFlow;
  readonly #todo: (() => void)[] = [];

  constructor(flow: TextFlow) {
    this.#flow = flow;
  }

  walk(element: CapturedElement): void {
    this.#element(element, listBoxOf(element));
    for (let next = this.#todo.pop(); next !== undefined; next = this.#todo.pop()) next();
  }

  #children(nodes: readonly CapturedNode[], list: CapturedElement | null): void {
    const lastCell = nodes.findLastIndex(isCell);
    for (const [i, node] of [...nodes.entries()].toReversed()) {
      if (i < lastCell && isCell(node)) this.#todo.push(() => this.#flow.tab());
      this.#todo.push(() => (node.kind === 'text' ? this.#text(node) : this.#element(node, list)));
    }
  }

  #text({ layout }: CapturedText): void {
    if (layout !== null) this.#flow.add(layout.text, layout.whiteSpace, layout.visibility === 'visible');
  }

  #element(element: CapturedElement, list: CapturedElement | null): void {
    const { layout, name, flatChildren } = element;
    const flow = this.#flow;
    if (list !== null && name === 'option') return this.#option(element, list);
    if (list !== null && name === 'optgroup') return this.#group(element, list);
    if (layout === null) return this.#children(flatChildren, list);
    const visible = layout.visibility === 'visible';
    if (name === 'br') {
      if (visible) flow.newLine();
      else flow.endLine();
      return this.#children(flatChildren, list);
    }
    const block = BLOCKS.has(layout.display) || name === 'p';
    const border = () => (visible ? flow.breakLine(name === 'p' ? 2 : 1) : flow.endLine());
    const apart = INLINE_BLOCKS.has(layout.display) || name === 'svg';
    const object = OBJECTS.has(name) && !showsChildren(element);
    if (block) border();
    if (apart) flow.enter();
    this.#todo.push(() => {
      if (apart) flow.leave();
      else if (object) flow.object();
      if (block) border();
    });
    // The browser shows the label of an option in place of its children.
    if (name === 'option' && !showsChildren(element)) flow.add(visible ? optionText(element) : '', 'preserve', true);
    else this.#children(flatChildren, name === 'select' ? element : list);
  }

  /** Options are laid out in some lists only: each is a line while its list box is shown. */
  #option(option: CapturedElement, list: CapturedElement): void {
    if (showsContent(list)) this.#flow.addLine(optionText(option));
  }

  #group(group: CapturedElement, list: CapturedElement): void {
    const border = () => (showsContent(list) ? this.#flow.breakLine(1) : undefined);
    border();
    this.#todo.push(border);
    this.#children(group.flatChildren, list);
  }
}

function showsChildren(element: CapturedElement): boolean {
  return element.flatChildren.some((child) => child.layout !== null);
}

function isCell(node: CapturedNode): boolean {
  return node.kind === 'element' && node.layout?.display === 'table-cell';
}

export function optionText(option: CapturedElement): string {
  return textContent(option.children)
    .replaceAll(/[ \t\n\r\f]+/g, ' ')
    .trim();
}

function textContent(nodes: readonly CapturedNode[]): string {
  return nodes.map((node) => (node.kind === 'text' ? node.value : textContent(node.children))).join('');
}

function listBoxOf(element: CapturedElement): CapturedElement | null {
  let node = parentElement(element);
  while (node !== null && node.name !== 'select') node = parentElement(node);
  return node;
}
