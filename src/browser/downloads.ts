import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Captured, type Download, missing, present } from '../contract/evidence.ts';
import { wellFormed } from '../contract/strings.ts';
import type { CdpConnection } from './cdp.ts';

/** Most downloads of an episode, and most bytes of each: a page can begin them without end, and they fill the disk. */
const MOST = 20;
const MOST_BYTES = 5 * 1024 * 1024;
/** Most characters that are kept of a file's text, of its URL (a `data:` URL holds the file) and of its name. */
const MOST_TEXT = 64 * 1024;
const MOST_URL = 2_000;
const MOST_NAME = 500;
/** Most frames that are remembered: a page can make frames without end. */
const MOST_FRAMES = 10_000;

/** A download as the browser's events describe it. */
export type Begun = Readonly<Pick<Download, 'name' | 'url' | 'state'>> & { readonly guid: string };

interface Kept {
  folder: string;
  scope: { browserContextId?: string };
  begun: Map<string, Begun>;
  /** Why they are not all known. */
  lost: string | null;
}

/**
 * The downloads of the browser contexts of episodes. The browser names each file by an id of its own, in a folder of ours, so
 * the name that a site gives is never part of a path.
 */
export class Downloads {
  readonly #cdp: CdpConnection;
  readonly #folder: string | null;
  readonly #kept = new Map<string, Kept>();
  /** The contexts of frames, since an event names only the frame. */
  readonly #frames = new Map<string, string>();

  /** @param folder where the browser can write; null: of a browser that is not ours, nothing is kept */
  constructor(cdp: CdpConnection, folder: string | null) {
    this.#cdp = cdp;
    this.#folder = folder;
    cdp.on('Browser.downloadWillBegin', ({ frameId, guid, suggestedFilename, url }) => {
      const name = wellFormed(suggestedFilename.slice(0, MOST_NAME));
      this.#begins(frameId, { guid, name, url: wellFormed(url.slice(0, MOST_URL)), state: 'in_progress' });
    });
    cdp.on('Browser.downloadProgress', ({ guid, state, totalBytes, receivedBytes }) => {
      for (const kept of this.#kept.values()) {
        const download = kept.begun.get(guid);
        if (download?.state !== 'in_progress') continue;
        const isTooLarge = Math.max(totalBytes, receivedBytes) > MOST_BYTES;
        const next = isTooLarge ? 'too_large' : state === 'inProgress' ? 'in_progress' : state;
        kept.begun.set(guid, { ...download, state: next });
        if (isTooLarge && state === 'inProgress') this.#send('Browser.cancelDownload', { guid, ...kept.scope });
      }
    });
  }

  /** Keeps the downloads of a context from now on. */
  async keep(contextId: string, { isDefault }: { isDefault: boolean }): Promise<void> {
    if (this.#folder === null) return;
    const folder = path.join(this.#folder, `downloads-${randomUUID()}`);
    const scope = isDefault ? {} : { browserContextId: contextId };
    this.#kept.set(contextId, { folder, scope, begun: new Map(), lost: null });
    const how = { behavior: 'allowAndName', downloadPath: folder, eventsEnabled: true } as const;
    await this.#cdp.send('Browser.setDownloadBehavior', { ...how, ...scope });
  }

  forget(contextId: string): void {
    const folder = this.#kept.get(contextId)?.folder;
    this.#kept.delete(contextId);
    for (const [frame, of] of this.#frames) if (of === contextId) this.#frames.delete(frame);
    if (folder !== undefined) void rm(folder, { recursive: true, force: true }).catch(() => {});
  }

  frameSeen(frameId: string, contextId: string): void {
    this.#frames.set(frameId, contextId);
    const [oldest] = this.#frames.keys();
    if (this.#frames.size > MOST_FRAMES && oldest !== undefined) this.#frames.delete(oldest);
  }

  /** The downloads of a context as they are now, in the order in which they began. */
  list(contextId: string): Captured<readonly Begun[]> {
    const kept = this.#kept.get(contextId);
    if (kept === undefined) return missing('the downloads of this browser are not kept');
    return kept.lost === null ? present([...kept.begun.values()]) : missing(kept.lost);
  }

  /** Reads the files of downloads that were listed as completed. */
  async read(contextId: string, begun: readonly Begun[]): Promise<Download[]> {
    const folder = this.#kept.get(contextId)?.folder;
    return await Promise.all(
      begun.map(async ({ guid, ...download }) => {
        const file = download.state === 'completed' && folder !== undefined && /^[\w-]+$/.test(guid);
        return { ...download, ...UNREAD, ...(file ? await contentOf(path.join(folder, guid)) : {}) };
      }),
    );
  }

  #begins(frameId: string, download: Begun): void {
    const contextId = this.#frames.get(frameId);
    const concerned = contextId === undefined ? [...this.#kept.values()] : [this.#kept.get(contextId)];
    for (const kept of concerned) {
      if (kept === undefined) continue;
      if (concerned.length > 1) kept.lost = 'a download began in a frame that is not known';
      else if (kept.begun.size < MOST) kept.begun.set(download.guid, download);
      else if (kept.lost === null) {
        kept.lost = `more than ${MOST} downloads have begun`;
        this.#send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true, ...kept.scope });
      }
    }
  }

  /** Sends without waiting: the download, or the browser, may have ended. */
  #send(...[method, params]: Parameters<CdpConnection['send']>): void {
    this.#cdp.send(method, params).catch(() => {});
  }
}

type Content = Pick<Download, 'bytes' | 'sha256' | 'text' | 'text_truncated'>;

const UNREAD: Content = { bytes: null, sha256: null, text: null, text_truncated: false };

/** Nothing, if it cannot be read; a link is not followed. */
async function contentOf(file: string): Promise<Partial<Download>> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    const found = await handle.stat();
    if (!found.isFile()) return {};
    if (found.size > MOST_BYTES) return { state: 'too_large' };
    const whole = Buffer.alloc(found.size);
    const { bytesRead } = await handle.read(whole, 0, found.size, 0);
    const bytes = whole.subarray(0, bytesRead);
    const text = textOf(bytes);
    return {
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      text: text === null ? null : wellFormed(text.slice(0, MOST_TEXT)),
      text_truncated: text !== null && text.length > MOST_TEXT,
    };
  } catch {
    return {};
  }
}

/** The text of a file in UTF-8, or in UTF-16 with a byte order mark; null of any other. */
function textOf(bytes: Buffer): string | null {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
