import type { CapturedElement, CapturedFrame, CapturedNode, CapturedRoot, CapturedText } from './captured-tree.ts';
import type { Snapshot, SnapshotDocument } from './snapshot.ts';
import { brokenSnapshot, SnapshotReader, type NodeLayout } from './snapshot-reader.ts';

const ELEMENT = 1;
const TEXT = 3;
const CDATA = 4;
const DOCUMENT = 9;
const DOCTYPE = 10;

/** A frame, and the owner elements in it whose content is another document of the same snapshot. */
export interface BuiltFrame {
  readonly frame: CapturedFrame;
  readonly contentDocuments: ReadonlyMap<CapturedElement, number>;
}

/**
 * Builds the tree of one captured document.
 *
 * The browser captures the flat tree and gives for each node only the mode of its shadow tree, so the tree scopes are worked
 * out again: a child whose mode differs from its parent's is in the shadow tree of that parent; below a slot it is an assigned
 * node, and so a child of the slot's host. Three things are unknown: nodes in no flat tree (a host's child without a slot, the
 * fallback content of a filled slot) are missing; the children of a host are in the order of their slots; a shadow root
 * directly inside one of the same mode counts as part of it.
 *
 * In a frame that is not `shown`, nothing has a box, though the browser lays it out.
 */
export function buildFrame(document: SnapshotDocument, strings: Snapshot['strings'], shown: boolean): BuiltFrame {
  const url = strings[document.documentURL] ?? '';
  return new FrameBuilder(new SnapshotReader(document, strings)).build(url, shown);
}

/** The place of a node: itself (null if left out), the root of its tree scope, and whether it is skipped. */
interface Place {
  readonly node: CapturedNode | null;
  readonly scope: CapturedRoot;
  readonly skipped: boolean;
}

class FrameBuilder {
  readonly #reader: SnapshotReader;
  readonly #hosts: ReadonlyMap<number, 'open' | 'closed'>;
  readonly #children = new Map<CapturedElement | CapturedRoot, CapturedNode[]>();
  readonly #flatChildren = new Map<CapturedElement, CapturedNode[]>();
  readonly #places: Place[] = [];
  readonly #summarised = new Set<CapturedElement>();
  /** Puts the text of each `::after` last: it is captured before the content that it follows. */
  readonly #after: (() => void)[] = [];

  constructor(reader: SnapshotReader) {
    this.#reader = reader;
    this.#hosts = findHosts(reader);
  }

  build(url: string, shown: boolean): BuiltFrame {
    const reader = this.#reader;
    if (reader.type(0) !== DOCUMENT) throw brokenSnapshot('its first node is not a document');
    const document = this.#root('document', null);
    this.#places.push({ node: null, scope: document, skipped: !shown });
    let doctype = false;
    for (let index = 1; index < reader.size; index++) {
      doctype ||= reader.type(index) === DOCTYPE;
      this.#places.push(this.#place(index));
    }
    for (const append of this.#after) append();
    const elements = inDocumentOrder(document);
    const html = document.children.some((node) => node.kind === 'element' && node.html);
    const quirks = html && !doctype && url !== 'about:srcdoc';
    const contentDocuments = new Map<CapturedElement, number>();
    for (const [index, content] of reader.contentDocuments) {
      const owner = this.#places[index]?.node;
      if (owner?.kind !== 'element') throw brokenSnapshot(`node ${index} owns a document, but is not an element`);
      contentDocuments.set(owner, content);
    }
    return { frame: { url, quirks, size: reader.size, document, elements }, contentDocuments };
  }

  #place(index: number): Place {
    const reader = this.#reader;
    const parentIndex = reader.parent(index);
    const flatParent = this.#places[parentIndex];
    if (flatParent === undefined) throw brokenSnapshot(`node ${index} comes before its parent`);
    if (parentIndex !== 0 && flatParent.node?.kind !== 'element') return { ...flatParent, node: null };
    const { parent, scope } = this.#logicalParent(index, flatParent);
    const skipped =
      flatParent.skipped || (flatParent.node?.kind === 'element' && this.#skips(flatParent.node, reader.name(index)));
    const node = this.#node(index, parent, skipped ? null : reader.layout(index));
    if (node !== null) {
      this.#children.get(parent)?.push(node);
      const siblings = flatParent.node?.kind === 'element' ? this.#flatChildren.get(flatParent.node) : undefined;
      if (reader.pseudoType(index) === 'after') this.#after.push(() => siblings?.push(node));
      else siblings?.push(node);
      if (flatParent.node?.kind === 'element' && node.kind === 'element' && node.name === 'summary')
        this.#summarised.add(flatParent.node);
    }
    return { node, scope, skipped };
  }

  /**
   * Whether an element skips a child, whose boxes may then be from a time when it was shown: the content of
   * `content-visibility: hidden`, and all but the summary of closed details.
   */
  #skips(parent: CapturedElement, child: string): boolean {
    if (parent.layout?.contentVisibility === 'hidden' && !NOT_CONTAINED.test(parent.layout.display)) return true;
    if (parent.name !== 'details' || !parent.html || parent.attributes.has('open')) return false;
    return child !== 'SUMMARY' || this.#summarised.has(parent);
  }

  #logicalParent(index: number, flat: Place): { parent: CapturedElement | CapturedRoot; scope: CapturedRoot } {
    if (flat.node?.kind !== 'element') return { parent: flat.scope, scope: flat.scope };
    const { shadowRoot, name } = flat.node;
    if (shadowRoot !== null) return { parent: shadowRoot, scope: shadowRoot };
    const host = flat.scope.host;
    const assigned = name === 'slot' && host !== null && this.#reader.shadowType(index) !== flat.scope.kind;
    return assigned ? { parent: host, scope: scopeOf(host) } : { parent: flat.node, scope: flat.scope };
  }

  #node(index: number, parent: CapturedElement | CapturedRoot, layout: NodeLayout | null): CapturedNode | null {
    const reader = this.#reader;
    const pseudo = reader.pseudoType(index);
    if (pseudo !== null) return pseudoText(pseudo, layout);
    const type = reader.type(index);
    if (type === ELEMENT) return this.#element(index, parent, layout);
    if (type !== TEXT && type !== CDATA) return null;
    return { kind: 'text', value: reader.value(index), layout };
  }

  #element(index: number, parent: CapturedElement | CapturedRoot, layout: NodeLayout | null): CapturedElement {
    const reader = this.#reader;
    const written = reader.name(index);
    // In an HTML document the browser names HTML elements in upper case, and no others.
    const html = written === written.toUpperCase();
    const children: CapturedNode[] = [];
    const flatChildren: CapturedNode[] = [];
    const element = {
      kind: 'element' as const,
      index,
      backendNodeId: reader.backendNodeId(index),
      name: html ? written.toLowerCase() : written,
      html,
      attributes: reader.attributes(index),
      parent,
      children,
      flatChildren,
      shadowRoot: null as CapturedRoot | null,
      layout,
      checked: reader.checked.has(index),
      selected: reader.selected.has(index),
      value: reader.fieldValue(index),
    };
    this.#children.set(element, children);
    this.#flatChildren.set(element, flatChildren);
    const mode = this.#hosts.get(index);
    if (mode !== undefined) element.shadowRoot = this.#root(mode, element);
    return element;
  }

  #root(kind: CapturedRoot['kind'], host: CapturedElement | null): CapturedRoot {
    const children: CapturedNode[] = [];
    const root: CapturedRoot = { kind, host, children };
    this.#children.set(root, children);
    return root;
  }
}

/** Nodes with a shadow root: those with a child in a shadow tree that they are not in themselves. */
function findHosts(reader: SnapshotReader): Map<number, 'open' | 'closed'> {
  const hosts = new Map<number, 'open' | 'closed'>();
  for (let index = 1; index < reader.size; index++) {
    const type = reader.shadowType(index);
    const parent = reader.parent(index);
    if (type !== 'open' && type !== 'closed') continue;
    if (type !== reader.shadowType(parent) && reader.name(parent).toLowerCase() !== 'slot') hosts.set(parent, type);
  }
  return hosts;
}

/** The text of a pseudo-element. Generated text shows nothing, but keeps the white space next to it from collapsing. */
function pseudoText(type: string, layout: NodeLayout | null): CapturedText | null {
  if (type === 'first-letter') return { kind: 'text', value: '', layout };
  if ((type !== 'before' && type !== 'after') || layout?.display !== 'inline') return null;
  return { kind: 'text', value: '', layout: { ...layout, visibility: 'hidden' } };
}

/** Boxes that `content-visibility` does not apply to (CSS Containment). */
const NOT_CONTAINED = /^(?:inline|ruby.*|table-(?:row|column|header|footer).*)$/;

function scopeOf(element: CapturedElement): CapturedRoot {
  let node: CapturedElement | CapturedRoot = element;
  while (node.kind === 'element') node = node.parent;
  return node;
}

function inDocumentOrder(document: CapturedRoot): CapturedElement[] {
  const elements: CapturedElement[] = [];
  const stack: CapturedNode[] = document.children.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.kind !== 'element') continue;
    elements.push(node);
    for (const child of node.children.toReversed()) stack.push(child);
    for (const child of node.shadowRoot?.children.toReversed() ?? []) stack.push(child);
  }
  return elements;
}
