import type { ObservedPage, Observer } from '../../browser/observer.ts';
import type { PageKind } from '../../fault/kinds.ts';
import type { NamedElement } from '../../fault/schema.ts';
import { STRIKE, TAKE_AWAY } from './page-script.ts';

/** How long a page may take to let something be done to it, in ms. */
const TIMEOUT_MS = 3_000;
/** Roles of what is there to be read only. */
const READ_ONLY = new Set(['StaticText', 'InlineTextBox', 'LabelText', 'none', 'generic', 'paragraph']);

/** An element that was found in a page, within the reach of a script of ours. */
interface Held {
  page: ObservedPage;
  objectId: string;
  context: number;
}

/**
 * Does to a page what a fault does: by the browser's own protocol, in a script world of its own, so that the page's code neither sees
 * it nor can be in its way.
 */
export class PageHand {
  readonly #observer: Observer;
  #held: Held | null = null;

  constructor(observer: Observer) {
    this.#observer = observer;
  }

  /** Looks for an element by its accessible name, in the main frame; null when it is not there or the page cannot be reached. */
  async find(page: ObservedPage, { role, name }: NamedElement): Promise<Held | null> {
    if (page.dialog !== null || page.crashed) return null;
    const { cdp } = this.#observer;
    const options = { sessionId: page.sessionId, timeoutMs: TIMEOUT_MS };
    try {
      const world = { frameId: page.targetId, worldName: 'touchstone-stress' };
      const { executionContextId: context } = await cdp.send('Page.createIsolatedWorld', world, options);
      const root = await cdp.send('Runtime.evaluate', { expression: 'document', contextId: context }, options);
      const { objectId } = root.result;
      if (objectId === undefined) return null;
      const query = { objectId, accessibleName: name, ...(role === undefined ? {} : { role }) };
      const { nodes } = await cdp.send('Accessibility.queryAXTree', query, options);
      const found = nodes.find((node) => !node.ignored && !READ_ONLY.has(String(node.role?.value)));
      if (found?.backendDOMNodeId === undefined) return null;
      const wanted = { backendNodeId: found.backendDOMNodeId, executionContextId: context };
      const { object } = await cdp.send('DOM.resolveNode', wanted, options);
      return object.objectId === undefined ? null : { page, objectId: object.objectId, context };
    } catch {
      // It is on its way elsewhere, or busy: the next time that it is shown is soon enough.
      return null;
    }
  }

  /** @returns whether it was done */
  async strike(held: Held, kind: PageKind, text: string): Promise<boolean> {
    const { page, objectId } = held;
    const call = {
      functionDeclaration: STRIKE,
      objectId,
      arguments: [{ value: kind }, { value: text }],
      userGesture: true,
    };
    const options = { sessionId: page.sessionId, timeoutMs: TIMEOUT_MS };
    const done = await this.#observer.cdp.send('Runtime.callFunctionOn', call, options).catch(() => null);
    if (done === null || done.exceptionDetails !== undefined) return false;
    this.#held = held;
    return true;
  }

  /** The page that was struck, as it is now. */
  get struck(): ObservedPage | null {
    return this.#held?.page ?? null;
  }

  /** Takes away what was done. A document that is gone has taken it along. */
  async takeAway(): Promise<void> {
    if (this.#held === null) return;
    const { page, context } = this.#held;
    const options = { sessionId: page.sessionId, timeoutMs: TIMEOUT_MS };
    if (page.dialog !== null || page.crashed) return;
    await this.#observer.cdp
      .send('Runtime.evaluate', { expression: TAKE_AWAY, contextId: context }, options)
      .catch(() => {});
  }

  /** Accepts the dialog that is open in the page that was struck. */
  async acceptDialog(): Promise<void> {
    const page = this.#held?.page;
    if (page === undefined || page.dialog === null) return;
    const options = { sessionId: page.sessionId, timeoutMs: TIMEOUT_MS };
    await this.#observer.cdp.send('Page.handleJavaScriptDialog', { accept: true }, options).catch(() => {});
  }
}
