import type { NamedElement } from '../fault-kind.ts';
import type { BrowserPort, Tab } from '../ports.ts';

/** Functions for the scripts of kinds, which also have `element`, `page` and `text`. Each returns its undo function. */
const HELPERS = `
  const swallow = () => {
    const names = ['pointerdown', 'mousedown', 'click', 'keydown', 'beforeinput', 'input', 'change', 'submit'];
    const stop = (event) => {
      if (!event.composedPath().includes(element)) return;
      event.stopImmediatePropagation();
      event.preventDefault();
    };
    for (const name of names) addEventListener(name, stop, true);
    return () => { for (const name of names) removeEventListener(name, stop, true); };
  };
  const attribute = (name, value) => {
    const before = element.getAttribute(name);
    element.setAttribute(name, value);
    return () => { if (before === null) element.removeAttribute(name); else element.setAttribute(name, before); };
  };
  const added = (tag, style, where) => {
    const node = page.createElement(tag);
    node.style.cssText = style;
    node.textContent = text;
    where.prepend(node);
    return () => { node.remove(); };
  };`;

/**
 * Wraps the script of a kind: it runs in an isolated world of the page, with the element as `this`, and leaves its undo
 * function in `globalThis.undo`.
 * @param script an expression: a function that returns its undo function
 */
function wrapped(script: string): string {
  return `function (text) {
  const element = this;
  const page = element.ownerDocument;
  ${HELPERS}
  globalThis.undo = (${script})();
}`;
}

/** Undoes a {@link wrapped} script. */
const UNDO = 'globalThis.undo?.(); globalThis.undo = undefined;';

/** Time for a page to react, in ms. */
const TIMEOUT_MS = 3_000;
/** Roles without interaction. */
const READ_ONLY = new Set(['StaticText', 'InlineTextBox', 'LabelText', 'none', 'generic', 'paragraph']);

interface Held {
  tab: Tab;
  objectId: string;
  context: number;
}

/**
 * Changes a page over CDP, in an isolated script world, where the page's code can neither see nor prevent it.
 */
export class PageEditor {
  readonly #browser: BrowserPort;
  #held: Held | null = null;

  constructor(browser: BrowserPort) {
    this.#browser = browser;
  }

  /** The changed tab as it is now; null before a change. */
  get tab(): Tab | null {
    return this.#held?.tab ?? null;
  }

  /**
   * Finds an element by its accessible name, in the main frame of the active tab, and runs a script on it.
   * @returns whether it ran
   */
  async run(script: string, text: string, element: NamedElement): Promise<boolean> {
    const tab = this.#browser.activeTab();
    const held = tab === undefined ? null : await this.#find(tab, element);
    if (held === null) return false;
    const call = {
      functionDeclaration: wrapped(script),
      objectId: held.objectId,
      arguments: [{ value: text }],
      userGesture: true,
    };
    const done = await this.#browser.cdp.send('Runtime.callFunctionOn', call, to(held.tab)).catch(() => null);
    if (done === null || done.exceptionDetails !== undefined) return false;
    this.#held = held;
    return true;
  }

  /** Undoes the change; in a new document there is nothing to undo. */
  async undo(): Promise<void> {
    if (this.#held === null) return;
    const { tab, context } = this.#held;
    if (tab.dialog !== null || tab.crashed) return;
    const script = { expression: UNDO, contextId: context };
    await this.#browser.cdp.send('Runtime.evaluate', script, to(tab)).catch(() => {});
  }

  async acceptDialog(): Promise<void> {
    const tab = this.#held?.tab;
    if (tab === undefined || tab.dialog === null) return;
    await this.#browser.cdp.send('Page.handleJavaScriptDialog', { accept: true }, to(tab)).catch(() => {});
  }

  /** Null if it is missing or the page cannot be reached. */
  async #find(tab: Tab, { role, name }: NamedElement): Promise<Held | null> {
    if (tab.dialog !== null || tab.crashed) return null;
    const { cdp } = this.#browser;
    try {
      const world = { frameId: tab.targetId, worldName: 'touchstone-stress' };
      const { executionContextId: context } = await cdp.send('Page.createIsolatedWorld', world, to(tab));
      const root = await cdp.send('Runtime.evaluate', { expression: 'document', contextId: context }, to(tab));
      const { objectId } = root.result;
      if (objectId === undefined) return null;
      const query = { objectId, accessibleName: name, ...(role === undefined ? {} : { role }) };
      const { nodes } = await cdp.send('Accessibility.queryAXTree', query, to(tab));
      const found = nodes.find((node) => !node.ignored && !READ_ONLY.has(String(node.role?.value)));
      if (found?.backendDOMNodeId === undefined) return null;
      const wanted = { backendNodeId: found.backendDOMNodeId, executionContextId: context };
      const { object } = await cdp.send('DOM.resolveNode', wanted, to(tab));
      return object.objectId === undefined ? null : { tab, objectId: object.objectId, context };
    } catch {
      // Navigating or busy: it is tried again when the element is next shown.
      return null;
    }
  }
}

function to({ sessionId }: Tab): { sessionId: string; timeoutMs: number } {
  return { sessionId, timeoutMs: TIMEOUT_MS };
}
