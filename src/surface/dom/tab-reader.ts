import type { CDPSession, Frame, Page } from 'playwright-core';
import type { Protocol } from 'devtools-protocol';
import { buildFrame } from '../../contract/dom/build-frame.ts';
import type { CapturedElement, CapturedFrame } from '../../contract/dom/captured-tree.ts';
import { SNAPSHOT_STYLES, Snapshot } from '../../contract/dom/snapshot.ts';

export interface TabDocument {
  frame: CapturedFrame;
  /** The values of its fields, by the index of the element. */
  values: ReadonlyMap<number, string>;
  inside: ReadonlyMap<number, TabDocument>;
}

type Capture = Protocol.DOMSnapshot.CaptureSnapshotResponse;

/** A document in another process than the page around it. */
interface RemoteDocument {
  capture: Capture;
  /** The frame element that shows it, and the frame that contains this element. */
  ownerId: number;
  parentFrameId: string;
}

/** Reads tabs with the browser's own snapshot, without any script in the page, which could falsify the result. */
export class TabReader {
  readonly #sessions = new WeakMap<Page | Frame, Promise<CDPSession | null>>();

  async read(page: Page): Promise<TabDocument> {
    const session = await this.#sessionOf(page, page);
    if (session === null) throw new Error('the tab cannot be read');
    const [main, remote] = await Promise.all([snapshotOf(session), this.#remoteDocuments(page)]);
    return new Assembly(remote).whole(main);
  }

  async #remoteDocuments(page: Page): Promise<RemoteDocument[]> {
    const frames = page.frames().filter((frame) => frame !== page.mainFrame());
    const found = await Promise.all(frames.map((frame) => this.#remoteDocument(page, frame).catch(() => null)));
    return found.filter((document) => document !== null);
  }

  /** Null for a frame of the same process, which is in the snapshot of the page around it. */
  async #remoteDocument(page: Page, frame: Frame): Promise<RemoteDocument | null> {
    const session = await this.#sessionOf(page, frame);
    if (session === null) return null;
    const capture = await snapshotOf(session);
    const frameId = frameIdOf(capture, 0);
    const around = await this.#sessionAround(page, frame);
    const { backendNodeId: ownerId } = await around.session.send('DOM.getFrameOwner', { frameId });
    return { capture, ownerId, parentFrameId: around.frameId };
  }

  /** Returns a session of the process that contains a frame element, and the main frame of that process. */
  async #sessionAround(page: Page, frame: Frame): Promise<{ session: CDPSession; frameId: string }> {
    for (let outer = frame.parentFrame(); outer !== null; outer = outer.parentFrame()) {
      const isMain = outer === page.mainFrame();
      const session = await this.#sessionOf(page, isMain ? page : outer);
      if (session === null) continue;
      const { frameTree } = await session.send('Page.getFrameTree');
      return { session, frameId: frameTree.frame.id };
    }
    throw new Error('the frame is gone');
  }

  /** A session stays as long as its tab, since detaching may close a dialog. */
  #sessionOf(page: Page, target: Page | Frame): Promise<CDPSession | null> {
    const known = this.#sessions.get(target);
    if (known !== undefined) return known;
    const session = page
      .context()
      .newCDPSession(target)
      .catch(() => null);
    this.#sessions.set(target, session);
    return session;
  }
}

async function snapshotOf(session: CDPSession): Promise<Capture> {
  return await session.send('DOMSnapshot.captureSnapshot', { computedStyles: [...SNAPSHOT_STYLES] });
}

function frameIdOf({ documents, strings }: Capture, index: number): string {
  return strings[documents[index]?.frameId ?? -1] ?? '';
}

class Assembly {
  readonly #remote: readonly RemoteDocument[];

  constructor(remote: readonly RemoteDocument[]) {
    this.#remote = remote;
  }

  whole(capture: Capture): TabDocument {
    return this.#document(capture, Snapshot.parse(capture), 0);
  }

  #document(capture: Capture, snapshot: Snapshot, index: number): TabDocument {
    const document = snapshot.documents[index];
    if (document === undefined) throw new Error(`the browser's snapshot has no document ${index}`);
    const { frame, contentDocuments } = buildFrame(document, snapshot.strings, true);
    const inside = new Map<number, TabDocument>();
    for (const [owner, content] of contentDocuments) {
      inside.set(owner.index, this.#document(capture, snapshot, content));
    }
    for (const element of frame.elements) {
      const remote = this.#remoteOf(element, frameIdOf(capture, 0));
      if (remote !== undefined) inside.set(element.index, this.whole(remote.capture));
    }
    return { frame, values: valuesOf(capture, index), inside };
  }

  /** Ids of elements are unique only within a process. */
  #remoteOf({ name, backendNodeId }: CapturedElement, frameId: string): RemoteDocument | undefined {
    if (name !== 'iframe' && name !== 'frame') return undefined;
    return this.#remote.find(({ ownerId, parentFrameId }) => ownerId === backendNodeId && parentFrameId === frameId);
  }
}

function valuesOf({ documents, strings }: Capture, index: number): Map<number, string> {
  const { inputValue, textValue } = documents[index]?.nodes ?? {};
  const values = new Map<number, string>();
  for (const rare of [inputValue, textValue]) {
    for (const [position, node] of (rare?.index ?? []).entries()) {
      values.set(node, strings[rare?.value[position] ?? -1] ?? '');
    }
  }
  return values;
}
