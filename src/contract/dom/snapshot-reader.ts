import { SNAPSHOT_STYLES, type Snapshot, type SnapshotDocument } from './snapshot.ts';
import type { CapturedLayout } from './captured-tree.ts';

const ABSENT: CapturedLayout = {
  display: 'inline',
  visibility: 'visible',
  whiteSpace: 'collapse',
  contentVisibility: 'visible',
};

const EMPTY = { index: [], value: [] };

export type NodeLayout = CapturedLayout & { readonly text: string };

/**
 * Reads one document of a snapshot by node index. Checks what a capture promises (lists of one length, indices in range,
 * parents before children), so that nothing later can loop or guess.
 * @throws Error naming the broken part.
 */
export class SnapshotReader {
  readonly size: number;
  readonly contentDocuments: ReadonlyMap<number, number>;
  readonly checked: ReadonlySet<number>;
  readonly selected: ReadonlySet<number>;
  readonly #nodes: SnapshotDocument['nodes'];
  readonly #strings: readonly string[];
  readonly #shadowTypes: ReadonlyMap<number, number>;
  readonly #pseudoTypes: ReadonlyMap<number, number>;
  readonly #fieldValues: ReadonlyMap<number, number>;
  readonly #layouts: ReadonlyMap<number, NodeLayout>;

  constructor(document: SnapshotDocument, strings: Snapshot['strings']) {
    const nodes = document.nodes;
    this.#nodes = nodes;
    this.#strings = strings;
    this.size = nodes.nodeType.length;
    const lists = [nodes.parentIndex, nodes.nodeName, nodes.nodeValue, nodes.backendNodeId, nodes.attributes];
    if (this.size === 0 || lists.some((list) => list.length !== this.size)) {
      throw brokenSnapshot('its lists of nodes are empty or differ in length');
    }
    nodes.parentIndex.forEach((parent, node) => {
      if (node === 0 ? parent !== -1 : parent < 0 || parent >= node) {
        throw brokenSnapshot(`node ${node} has parent ${parent}, which does not come before it`);
      }
    });
    this.#shadowTypes = rareMap(nodes.shadowRootType);
    this.#pseudoTypes = rareMap(nodes.pseudoType);
    const { inputValue = EMPTY, textValue = EMPTY } = nodes;
    this.#fieldValues = new Map([...rareMap(inputValue), ...rareMap(textValue)]);
    this.contentDocuments = rareMap(nodes.contentDocumentIndex);
    this.checked = new Set(nodes.inputChecked.index);
    this.selected = new Set(nodes.optionSelected.index);
    this.#layouts = this.#readLayouts(document.layout);
  }

  type(node: number): number {
    return at(this.#nodes.nodeType, node, 'nodeType');
  }

  parent(node: number): number {
    return at(this.#nodes.parentIndex, node, 'parentIndex');
  }

  name(node: number): string {
    return this.string(at(this.#nodes.nodeName, node, 'nodeName'));
  }

  value(node: number): string {
    return this.string(at(this.#nodes.nodeValue, node, 'nodeValue'));
  }

  backendNodeId(node: number): number {
    return at(this.#nodes.backendNodeId, node, 'backendNodeId');
  }

  /** Mode of the author shadow root around the node; null in the document's own tree. */
  shadowType(node: number): string | null {
    const type = this.#shadowTypes.get(node);
    return type === undefined ? null : this.string(type);
  }

  pseudoType(node: number): string | null {
    const type = this.#pseudoTypes.get(node);
    return type === undefined ? null : this.string(type);
  }

  /** The value of an input or a text area; null for other nodes, and if none were captured. */
  fieldValue(node: number): string | null {
    const value = this.#fieldValues.get(node);
    return value === undefined ? null : this.string(value);
  }

  attributes(node: number): Map<string, string> {
    const flat = at(this.#nodes.attributes, node, 'attributes');
    if (flat.length % 2 !== 0) throw brokenSnapshot(`node ${node} has an attribute without a value`);
    const attributes = new Map<string, string>();
    for (let i = 0; i < flat.length; i += 2) {
      attributes.set(this.string(at(flat, i, 'attributes')), this.string(at(flat, i + 1, 'attributes')));
    }
    return attributes;
  }

  layout(node: number): NodeLayout | null {
    return this.#layouts.get(node) ?? null;
  }

  string(index: number): string {
    return index === -1 ? '' : at(this.#strings, index, 'strings');
  }

  #readLayouts(layout: SnapshotDocument['layout']): Map<number, NodeLayout> {
    const layouts = new Map<number, NodeLayout>();
    layout.nodeIndex.forEach((node, box) => {
      if (node < 0 || node >= this.size)
        throw brokenSnapshot(`layout box ${box} belongs to node ${node}, which is not there`);
      const text = this.string(at(layout.text, box, 'layout.text'));
      const first = layouts.get(node);
      // A node may have several boxes: a ::first-letter has one for itself and one for its text.
      if (first === undefined) layouts.set(node, { ...this.#style(at(layout.styles, box, 'layout.styles')), text });
      else if (text !== '') layouts.set(node, { ...first, text: first.text + text });
    });
    return layouts;
  }

  #style(styles: readonly number[]): CapturedLayout {
    if (styles.length === 0) return ABSENT;
    const [display, visibility, whiteSpace, contentVisibility] = styles.map((style) => this.string(style));
    if (
      display === undefined ||
      visibility === undefined ||
      whiteSpace === undefined ||
      contentVisibility === undefined
    ) {
      throw brokenSnapshot(`a layout box has ${styles.length} styles, not ${SNAPSHOT_STYLES.join(', ')}`);
    }
    return { display, visibility, whiteSpace, contentVisibility };
  }
}

export function brokenSnapshot(what: string): Error {
  return new Error(`the captured snapshot is malformed: ${what}`);
}

function at<T>(list: readonly T[], index: number, name: string): T {
  const value = list[index];
  if (value === undefined) throw brokenSnapshot(`index ${index} is outside of ${name}, which holds ${list.length}`);
  return value;
}

function rareMap(rare: { index: readonly number[]; value: readonly number[] }): Map<number, number> {
  return new Map(rare.index.map((node, i) => [node, at(rare.value, i, 'a list of rare values')]));
}
