import { type Evidence, missing, type PageEvidence, present } from '../../src/contract/evidence.ts';
import type { Snapshot } from '../../src/contract/dom/snapshot.ts';
import { tinySnapshot, type TinyNode } from './dom/tiny-snapshot.ts';

export type SampleNode = TinyNode;

/** An element of a page that was never in a browser. All are blocks. */
export function element(tag: string, ...children: SampleNode[]): Exclude<SampleNode, string> {
  return { tag: tag.toUpperCase(), layout: ['block', 'visible', 'collapse', 'visible'], children };
}

export function snapshotOf(...body: readonly SampleNode[]): Snapshot {
  return tinySnapshot({ url: 'https://shop.test/', nodes: [element('html', element('body', ...body))] });
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

function ownerOf({ owner_backend_node_id: backendNodeId }: RemoteFrame): SampleNode[] {
  return backendNodeId === null ? [] : [{ ...element('iframe'), backendNodeId }];
}

/** Evidence of one empty tab, an empty log and nothing else, by default. The first page is the one active last. */
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
