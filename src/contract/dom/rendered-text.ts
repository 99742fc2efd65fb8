import { parentElement, type CapturedElement, type CapturedNode, type CapturedText } from './captured-tree.ts';
import { TextFlow } from './text-flow.ts';

/**
 * The text that a user sees of an element, from the capture alone. It follows `innerText` (HTML standard, "rendered
 * text collection steps"): text as laid out and transformed, hidden text left out, one line per block, row and `<br>`,
 * a tab between cells, all options of a list box; no list markers, no generated content, no values of fields.
 *
 * It differs from `innerText` where that would show what is not rendered, or hide what is: an element that is not
 * rendered has no text, and what a shadow tree shows belongs to its host, in the order of the flat tree.
 * An option has its own text while its list box is shown, though the browser does not lay it out.
 */
export function renderedText(element: CapturedElement): string {
  const flow = new TextFlow();
  const list = listBoxOf(element);
  if (list === null) new TextWalk(flow).walk(element);
  else if (isShown(list)) addOptions(element, flow);
  return flow.toString();
}

const BLOCKS = words(
  'block flow-root list-item flex grid table table-caption table-row table-row-group table-header-group ' +
    'table-footer-group -webkit-box',
);
const INLINE_BLOCKS = words('inline-block inline-flex inline-grid inline-table -webkit-inline-box math');
/** Elements that stand in a line as one thing, and whose content is not text of the page. */
const OBJECTS = words('img input textarea canvas video audio iframe object embed meter progress');
const LISTS = words('select optgroup option');

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Walks the flat tree with a list of what is left to do, so that no depth of page is too deep. */
class TextWalk {
  readonly #flow: TextFlow;
  readonly #todo: (() => void)[] = [];

  constructor(flow: TextFlow) {
    this.#flow = flow;
  }

  walk(element: CapturedElement): void {
    this.#element(element);
    for (let next = this.#todo.pop(); next !== undefined; next = this.#todo.pop()) next();
  }

  #children(nodes: readonly CapturedNode[]): void {
    const lastCell = nodes.findLastIndex(isCell);
    for (const [i, node] of [...nodes.entries()].toReversed()) {
      if (i < lastCell && isCell(node)) this.#todo.push(() => this.#flow.tab());
      this.#todo.push(() => (node.kind === 'text' ? this.#text(node) : this.#element(node)));
    }
  }

  #text({ layout }: CapturedText): void {
    if (layout !== null) this.#flow.add(layout.text, layout.whiteSpace, layout.visibility === 'visible');
  }

  #element(element: CapturedElement): void {
    const { layout, name, flatChildren } = element;
    const flow = this.#flow;
    if (layout === null) return this.#children(flatChildren);
    const visible = layout.visibility === 'visible';
    if (name === 'br') return visible ? flow.newLine() : flow.endLine();
    const block = BLOCKS.has(layout.display) || name === 'p';
    const border = () => (visible ? flow.breakLine(linesAround(name)) : flow.endLine());
    const apart = INLINE_BLOCKS.has(layout.display) || name === 'svg';
    if (block) border();
    if (apart) flow.enter();
    this.#todo.push(() => {
      if (apart) flow.leave();
      else if (OBJECTS.has(name)) flow.object();
      if (block) border();
    });
    if (LISTS.has(name)) {
      if (visible) addOptions(element, flow);
    } else if (!OBJECTS.has(name)) this.#children(flatChildren);
  }
}

function linesAround(name: string): number {
  return name === 'p' ? 2 : 1;
}

function isCell(node: CapturedNode): boolean {
  return node.kind === 'element' && node.layout?.display === 'table-cell';
}

/** Adds an option, or all options below a list box or a group, a line each, as they have boxes in some lists only. */
function addOptions(element: CapturedElement, flow: TextFlow): void {
  if (element.name === 'option') {
    flow.addLine(optionText(element));
    return;
  }
  if (element.name === 'optgroup') flow.breakLine(1);
  for (const child of element.flatChildren) if (child.kind === 'element') addOptions(child, flow);
  if (element.name === 'optgroup') flow.breakLine(1);
}

function optionText(option: CapturedElement): string {
  return textContent(option.children)
    .replaceAll(/[ \t\n\r\f]+/g, ' ')
    .trim();
}

function textContent(nodes: readonly CapturedNode[]): string {
  return nodes.map((node) => (node.kind === 'text' ? node.value : textContent(node.children))).join('');
}

function listBoxOf(element: CapturedElement): CapturedElement | null {
  if (element.name !== 'option' && element.name !== 'optgroup') return null;
  let node = parentElement(element);
  while (node !== null && node.name !== 'select') node = parentElement(node);
  return node;
}

function isShown(element: CapturedElement): boolean {
  return element.layout?.visibility === 'visible';
}
