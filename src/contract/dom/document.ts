import type { PageEvidence } from '../evidence.ts';
import type { CapturedElement, CapturedFrame } from './captured-tree.ts';
import { buildFrame, type BuiltFrame } from './build-frame.ts';
import type { Snapshot } from './snapshot.ts';
import { broken } from './snapshot-reader.ts';

/** What a capture holds of one page: the snapshot of its own target, and those of its frames in other processes. */
export type PageDom = Extract<PageEvidence['dom'], { captured: true }>['value'];
type RemoteFrame = PageDom['remote_frames'][number];

/** The frames of a page, and why any that it has are not among them. */
export interface CapturedFrames {
  /** The main frame first, then each frame where its owner element stands, depth first; those without a known owner last. */
  readonly frames: readonly CapturedFrame[];
  /** One reason for each frame that could not be captured. While there is one, nothing can be said to be absent. */
  readonly uncaptured: readonly string[];
}

/**
 * Reads the captured DOM of a page into frames. Throws an Error when a snapshot is not what the browser promises.
 * Frames of the same process are linked by `contentDocumentIndex`, the others by the backend node id of their owner.
 */
export function capturedFrames(dom: PageDom): CapturedFrames {
  const known = READ.get(dom) ?? new FrameWalk(dom.remote_frames).walk(dom.main);
  READ.set(dom, known);
  return known;
}

/** Contracts ask several things of one page: it is read once. */
const READ = new WeakMap<PageDom, CapturedFrames>();

class FrameWalk {
  readonly #frames: CapturedFrame[] = [];
  readonly #uncaptured: string[] = [];
  readonly #remote: Set<RemoteFrame>;

  constructor(remote: readonly RemoteFrame[]) {
    this.#remote = new Set(remote);
  }

  walk(main: Snapshot): CapturedFrames {
    this.#target(main, null);
    for (const left of this.#remote) {
      if (this.#remote.delete(left)) this.#remoteFrame(left);
    }
    return { frames: this.#frames, uncaptured: this.#uncaptured };
  }

  #target(snapshot: Snapshot, id: string | null): void {
    const documents = snapshot.documents.map((document) => buildFrame(document, snapshot.strings));
    const unseen = new Set(documents);
    const visit = (built: BuiltFrame) => {
      if (!unseen.delete(built)) throw broken('a document is contained more than once');
      this.#frames.push(built.frame);
      for (const element of built.frame.elements) {
        const content = built.contentDocuments.get(element);
        if (content === undefined) this.#remoteOf(element, id);
        else visit(existing(documents[content], content));
      }
    };
    const [main] = documents;
    visit(existing(main, 0));
    for (const left of documents) if (unseen.has(left)) visit(left);
  }

  #remoteOf(owner: CapturedElement, parent: string | null): void {
    if (!OWNERS.has(owner.name)) return;
    for (const remote of this.#remote) {
      // Backend node ids are counted per process: only together with the parent do they name an element.
      if (remote.parent_frame_id !== parent || remote.owner_backend_node_id !== owner.backendNodeId) continue;
      this.#remote.delete(remote);
      this.#remoteFrame(remote);
      return;
    }
    if (owner.name === 'iframe' || owner.name === 'frame') {
      this.#uncaptured.push(`the capture does not hold the document of ${describe(owner)}`);
    }
  }

  #remoteFrame(remote: RemoteFrame): void {
    if (remote.snapshot.captured) this.#target(remote.snapshot.value, remote.frame_id);
    else this.#uncaptured.push(`frame ${remote.frame_id}: ${remote.snapshot.why}`);
  }
}

/** Elements that can have a document of their own. */
const OWNERS: ReadonlySet<string> = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe']);

function existing(built: BuiltFrame | undefined, index: number): BuiltFrame {
  if (built === undefined) throw broken(`document ${index} is not there`);
  return built;
}

function describe(owner: CapturedElement): string {
  const source = owner.attributes.get('src');
  return source === undefined ? `an <${owner.name}>` : `<${owner.name} src="${source.slice(0, 200)}">`;
}
