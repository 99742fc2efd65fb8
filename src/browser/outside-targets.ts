import type { CdpConnection } from './cdp.ts';
import { isOfWorld, type ReportedTarget } from './url-policy.ts';

/** All targets, tabs and windows of the browser itself among them. */
const EVERY = [{}];

/**
 * The targets of a browser that are outside the world: its own windows and pages, extensions, files. They are closed as soon as
 * the browser reports them, no matter who opened them: some of them read any file of this machine, or reach any port.
 */
export class OutsideTargets {
  readonly #cdp: CdpConnection | null;
  /** Contexts by target id. */
  readonly #closed = new Map<string, string | undefined>();

  private constructor(cdp: CdpConnection | null) {
    this.#cdp = cdp;
  }

  /** @param cdp the judge's connection to a browser of ours; null if the browser has a user, who may open anything */
  static async watch(cdp: CdpConnection | null): Promise<OutsideTargets> {
    const targets = new OutsideTargets(cdp);
    if (cdp === null) return targets;
    for (const event of ['Target.targetCreated', 'Target.targetInfoChanged'] as const) {
      cdp.on(event, ({ targetInfo }) => {
        targets.close(targetInfo);
      });
    }
    await cdp.send('Target.setDiscoverTargets', { discover: true, filter: EVERY });
    return targets;
  }

  has(targetId: string): boolean {
    return this.#closed.has(targetId);
  }

  count(contextId?: string): number {
    const contexts = [...this.#closed.values()];
    return contexts.filter((each) => contextId === undefined || each === contextId).length;
  }

  /** Closes a target that is outside the world; false for one of the world, or if nothing is closed in this browser. */
  close(target: ReportedTarget & { targetId: string; browserContextId?: string | undefined }): boolean {
    if (this.#cdp === null || isOfWorld(target) || target.type === 'tab') return false;
    if (this.has(target.targetId)) return true;
    this.#closed.set(target.targetId, target.browserContextId);
    // It may have ended by itself.
    this.#cdp.send('Target.closeTarget', { targetId: target.targetId }).catch(() => {});
    return true;
  }
}
