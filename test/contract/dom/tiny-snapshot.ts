import type { Snapshot } from '../../../src/contract/dom/snapshot.ts';

/** A node of a hand-made capture; a string is text with a box of its own. */
export type TinyNode =
  | string
  | {
      readonly tag: string;
      readonly attributes?: Readonly<Record<string, string>>;
      readonly children?: readonly TinyNode[];
      /** Computed display, visibility, white-space-collapse and content-visibility; false when it has no box. */
      readonly layout?: readonly [string, string, string, string] | false;
      readonly shadow?: 'open' | 'closed';
      readonly checked?: boolean;
      readonly selected?: boolean;
      /** The value of an input or a text area. If no field has one, none were captured. */
      readonly value?: string;
      /** Position of its content document in the snapshot. */
      readonly content?: number;
      readonly backendNodeId?: number;
    };

export interface TinyDocument {
  readonly url?: string;
  readonly doctype?: boolean;
  readonly nodes: readonly TinyNode[];
}

/** Writes documents in the format of `DOMSnapshot.captureSnapshot`. */
export function tinySnapshot(...documents: readonly TinyDocument[]): Snapshot {
  const strings: string[] = [];
  const intern = (text: string) => {
    const known = strings.indexOf(text);
    return known === -1 ? strings.push(text) - 1 : known;
  };
  return { documents: documents.map((document, i) => writeDocument(document, i, intern)), strings };
}

function writeDocument(document: TinyDocument, position: number, intern: (text: string) => number) {
  const nodes: Snapshot['documents'][number]['nodes'] = {
    parentIndex: [],
    nodeType: [],
    nodeName: [],
    nodeValue: [],
    backendNodeId: [],
    attributes: [],
    shadowRootType: { index: [], value: [] },
    inputChecked: { index: [] },
    optionSelected: { index: [] },
    contentDocumentIndex: { index: [], value: [] },
    pseudoType: { index: [], value: [] },
  };
  const layout: Snapshot['documents'][number]['layout'] = { nodeIndex: [], styles: [], text: [] };
  const push = (parent: number, type: number, name: string, value: string | null, backendNodeId?: number) => {
    const index = nodes.nodeType.push(type) - 1;
    nodes.parentIndex.push(parent);
    nodes.nodeName.push(intern(name));
    nodes.nodeValue.push(value === null ? -1 : intern(value));
    nodes.backendNodeId.push(backendNodeId ?? 1000 * position + index);
    nodes.attributes.push([]);
    return index;
  };
  const box = (index: number, styles: readonly string[], text: string | null) => {
    layout.nodeIndex.push(index);
    layout.styles.push(styles.map(intern));
    layout.text.push(text === null ? -1 : intern(text));
  };
  const write = (node: TinyNode, parent: number): void => {
    if (typeof node === 'string') return box(push(parent, 3, '#text', node), VISIBLE, node);
    const index = push(parent, 1, node.tag, null, node.backendNodeId);
    const flat = Object.entries(node.attributes ?? {}).flat();
    nodes.attributes[index]?.push(...flat.map(intern));
    if (node.shadow !== undefined) {
      nodes.shadowRootType.index.push(index);
      nodes.shadowRootType.value.push(intern(node.shadow));
    }
    if (node.checked === true) nodes.inputChecked.index.push(index);
    if (node.selected === true) nodes.optionSelected.index.push(index);
    if (node.value !== undefined) {
      const name = node.tag === 'TEXTAREA' ? 'textValue' : 'inputValue';
      const values = (nodes[name] ??= { index: [], value: [] });
      values.index.push(index);
      values.value.push(node.value === '' ? -1 : intern(node.value));
    }
    if (node.content !== undefined) {
      nodes.contentDocumentIndex.index.push(index);
      nodes.contentDocumentIndex.value.push(node.content);
    }
    if (node.layout !== false) box(index, node.layout ?? VISIBLE, null);
    for (const child of node.children ?? []) write(child, index);
  };
  push(-1, 9, '#document', null);
  if (document.doctype !== false) push(0, 10, 'html', null);
  for (const node of document.nodes) write(node, 0);
  return {
    documentURL: intern(document.url ?? `http://app.test/${position}`),
    frameId: intern(`frame-${position}`),
    nodes,
    layout,
  };
}

const VISIBLE = ['inline', 'visible', 'collapse', 'visible'] as const;
