import type { Protocol } from 'devtools-protocol';
import type { CdpConnection } from '../cdp.ts';

/** The windows that clients resize: unlike emulation, a size outlives the client, and the end capture would have it. */
export class ResizedWindows {
  readonly #cdp: CdpConnection;
  readonly #before = new Map<number, Promise<Protocol.Browser.Bounds | null>>();

  constructor(cdp: CdpConnection) {
    this.#cdp = cdp;
  }

  note(windowId: number): void {
    if (this.#before.has(windowId)) return;
    const reading = this.#cdp.send('Browser.getWindowBounds', { windowId }).then(
      ({ bounds }) => bounds,
      () => {
        this.#before.delete(windowId);
        return null;
      },
    );
    this.#before.set(windowId, reading);
  }

  async restore(): Promise<void> {
    const windows = [...this.#before];
    this.#before.clear();
    await Promise.all(
      windows.map(async ([windowId, reading]) => {
        const before = await reading;
        if (before !== null) await this.#restore(windowId, before).catch(() => {});
      }),
    );
  }

  async #restore(windowId: number, { windowState, ...place }: Protocol.Browser.Bounds): Promise<void> {
    // Chromium moves no window that is minimized, maximized or full-screen.
    await this.#cdp.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } });
    await this.#cdp.send('Browser.setWindowBounds', { windowId, bounds: place });
    if (windowState !== undefined && windowState !== 'normal')
      await this.#cdp.send('Browser.setWindowBounds', { windowId, bounds: { windowState } });
  }
}
