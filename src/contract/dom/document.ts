import type { PageEvidence } from '../evidence.ts';
import { showsContent, type CapturedElement, type CapturedFrame } from './captured-tree.ts';
import { buildFrame } from './build-frame.ts';
import type { Snapshot } from './snapshot.ts';
import { brokenSnapshot } from './snapshot-reader.ts';

/** The snapshot of a page's own target, and those of its frames in other processes. */
export type PageDom = Extract<PageEvidence['dom'], { captured: true }>['value'];
type RemoteFrame = PageDom['remote_frames'][number];

export interface CapturedFrames {
  /** The main frame, then the others depth first, in the order of their owners; those without a known owner last. */
  readonly frames: readonly CapturedFrame[];
  /** A reason for each frame that was not captured. If there is any, nothing can be judged absent. */
  readonly uncaptured: readonly string[];
}

/**
 * Arranges a captured page as frames: those of the same process are linked by `contentDocumentIndex`, the others by the backend
 * node id of their owner. A frame is rendered only if its owner shows it.
 * @throws Error when a snapshot is not what the browser promises.
 */
export function capturedFrames(dom: PageDom): CapturedFrames {
  const known = READ.get(dom) ?? new FrameWalk(dom.remote_frames).walk(dom.main, dom.loading);
  READ.set(dom, known);
  return known;
}

/** Each page is read once, however many assertions look at it. */
const READ = new WeakMap<PageDom, CapturedFrames>();

class FrameWalk {
  readonly #frames: CapturedFrame[] = [];
  readonly #uncaptured: string[] = [];
  readonly #remote: Set<RemoteFrame>;

  constructor(remote: readonly RemoteFrame[]) {
    this.#remote = new Set(remote);
  }

  walk(main: Snapshot, isLoading: boolean): CapturedFrames {
    this.#addDocuments(main, null, true);
    for (const left of this.#remote) {
      if (!this.#remote.delete(left)) continue;
      const isOwnerKnown = left.owner_backend_node_id !== null;
      if (!isOwnerKnown) this.#uncaptured.push(`frame ${left.frame_id}: it is not known whether it is shown`);
      // An owner that is known but not captured is in no slot, so it is not shown.
      this.#addRemote(left, !isOwnerKnown);
    }
    if (isLoading) this.#uncaptured.push('the page was still loading');
    return { frames: this.#frames, uncaptured: this.#uncaptured };
  }

  #addDocuments({ documents, strings }: Snapshot, id: string | null, shown: boolean): void {
    const unseen = new Set(documents.keys());
    const visit = (index: number, visible: boolean) => {
      const document = documents[index];
      if (document === undefined) throw brokenSnapshot(`document ${index} is not there`);
      if (!unseen.delete(index)) throw brokenSnapshot('a document is contained more than once');
      const { frame, contentDocuments } = buildFrame(document, strings, visible);
      this.#frames.push(frame);
      for (const element of frame.elements) {
        const content = contentDocuments.get(element);
        if (content === undefined) this.#addRemoteOf(element, id);
        else visit(content, showsContent(element));
      }
    };
    visit(0, shown);
    // Documents without a captured owner: nothing shows them.
    for (const left of unseen) visit(left, false);
  }

  #addRemoteOf(owner: CapturedElement, parent: string | null): void {
    if (!OWNERS.has(owner.name)) return;
    for (const remote of this.#remote) {
      // Backend node ids are counted per process, so they need the parent to name an element.
      if (remote.parent_frame_id !== parent || remote.owner_backend_node_id !== owner.backendNodeId) continue;
      this.#remote.delete(remote);
      this.#addRemote(remote, showsContent(owner));
      return;
    }
    if (owner.name === 'iframe' || owner.name === 'frame') {
      this.#uncaptured.push(`the capture does not hold the document of ${describe(owner)}`);
    }
  }

  #addRemote(remote: RemoteFrame, shown: boolean): void {
    if (remote.snapshot.captured) this.#addDocuments(remote.snapshot.value, remote.frame_id, shown);
    else this.#uncaptured.push(`frame ${remote.frame_id}: ${remote.snapshot.why}`);
  }
}

const OWNERS: ReadonlySet<string> = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe']);

function describe(owner: CapturedElement): string {
  const source = owner.attributes.get('src');
  return source === undefined ? `an <${owner.name}>` : `<${owner.name} src="${source.slice(0, 200)}">`;
}
