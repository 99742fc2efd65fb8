import { type Evidence, missing, type PageEvidence, present } from '../../src/contract/evidence.ts';
import type { Snapshot } from '../../src/contract/dom/snapshot.ts';

/** An element of a page that was never in a browser. All are blocks. */
export interface SampleElement {
  tag: string;
  children: readonly SampleNode[];
  /** Else one is given. */
  backendNodeId?: number;
}
export type SampleNode = SampleElement | string;

export function element(tag: string, ...children: SampleNode[]): SampleElement {
  return { tag, children };
}

/** What a browser would have captured of a document with this body. */
export function snapshotOf(...body: readonly SampleNode[]): Snapshot {
  return new SnapshotWriter().write(element('html', element('body', ...body)));
}

type RemoteFrame = Extract<PageEvidence['dom'], { captured: true }>['value']['remote_frames'][number];

/** A frame of another process; {@link page} adds the iframe that owns it. */
export function frameOf(...body: readonly SampleNode[]): RemoteFrame {
  return {
    frame_id: 'frame',
    parent_frame_id: null,
    owner_backend_node_id: 1_001,
    snapshot: present(snapshotOf(...body)),
  };
}

export const LOST_FRAME: RemoteFrame = {
  frame_id: 'lost',
  parent_frame_id: null,
  owner_backend_node_id: 1_002,
  snapshot: missing('the frame did not answer'),
};

interface PageParts {
  id?: string;
  url?: string | null;
  body?: readonly SampleNode[];
  frames?: RemoteFrame[];
  dom?: PageEvidence['dom'];
  dialog?: PageEvidence['dialog'];
  loading?: boolean;
}

/** An open tab. A `url` of null could not be captured. */
export function page(parts: PageParts = {}): PageEvidence {
  const { id = 'page-1', url = 'https://shop.test/', body = [], frames = [], dialog = null } = parts;
  return {
    id,
    url: url === null ? missing('the tab did not answer') : present(url),
    history: url === null ? missing('the tab did not answer') : present([url]),
    dialog,
    dom:
      parts.dom ??
      present({
        main: snapshotOf(...body, ...frames.flatMap(ownerOf)),
        remote_frames: frames,
        loading: parts.loading ?? false,
      }),
  };
}

function ownerOf({ owner_backend_node_id: backendNodeId }: RemoteFrame): SampleElement[] {
  return backendNodeId === null ? [] : [{ tag: 'iframe', children: [], backendNodeId }];
}

/** Evidence of one empty tab, an empty log and nothing else, unless told. The first page is the one active last. */
export function evidence(parts: Partial<Evidence> = {}): Evidence {
  const pages = parts.pages ?? [page()];
  return {
    schema_version: 1,
    pages,
    last_active: pages[0]?.id ?? null,
    fresh: missing('no assertion asks for it'),
    network: present({ entries: [], since: { contract_enter: 0, last_tool_call: 0 } }),
    screenshot: missing('no screenshot was taken'),
    app_state: missing('the world has no app'),
    answer: null,
    ...parts,
  };
}

class SnapshotWriter {
  readonly #strings: string[] = [];
  readonly #parents: number[] = [];
  readonly #types: number[] = [];
  readonly #names: number[] = [];
  readonly #values: number[] = [];
  readonly #laidOut: number[] = [];
  readonly #texts: number[] = [];
  readonly #backendNodeIds: number[] = [];

  write(root: SampleElement): Snapshot {
    const documentIndex = this.#node(-1, 9, '#document', '');
    this.#node(documentIndex, 10, 'html', '');
    this.#element(documentIndex, root);
    const none = { index: [], value: [] };
    const style = ['block', 'visible', 'collapse', 'visible'].map((value) => this.#string(value));
    const document = {
      documentURL: this.#string('https://shop.test/'),
      frameId: this.#string('main'),
      nodes: {
        parentIndex: this.#parents,
        nodeType: this.#types,
        shadowRootType: none,
        nodeName: this.#names,
        nodeValue: this.#values,
        backendNodeId: this.#parents.map((_, index) => this.#backendNodeIds[index] ?? index + 1),
        attributes: this.#parents.map(() => []),
        inputChecked: { index: [] },
        optionSelected: { index: [] },
        contentDocumentIndex: none,
        pseudoType: none,
      },
      layout: { nodeIndex: this.#laidOut, styles: this.#laidOut.map(() => style), text: this.#texts },
    };
    return { documents: [document], strings: this.#strings };
  }

  #element(parent: number, { tag, children, backendNodeId }: SampleElement): void {
    const index = this.#node(parent, 1, tag.toUpperCase(), '');
    if (backendNodeId !== undefined) this.#backendNodeIds[index] = backendNodeId;
    this.#layout(index, '');
    for (const child of children) {
      if (typeof child === 'string') this.#layout(this.#node(index, 3, '#text', child), child);
      else this.#element(index, child);
    }
  }

  #node(parent: number, type: number, name: string, value: string): number {
    this.#types.push(type);
    this.#names.push(this.#string(name));
    this.#values.push(this.#string(value));
    return this.#parents.push(parent) - 1;
  }

  #layout(index: number, text: string): void {
    this.#laidOut.push(index);
    this.#texts.push(this.#string(text));
  }

  #string(text: string): number {
    const known = this.#strings.indexOf(text);
    return known === -1 ? this.#strings.push(text) - 1 : known;
  }
}
