/** Functions that the scripts of kinds may use, as well as `element`, `page` and `text`. Each returns its own undo function. */
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
 * Wrap the script of a kind for the browser: it runs in an isolated world of the page, with the element as `this`, and
 * leaves the way back in `globalThis.takeAway`.
 * @param script an expression: what it is called for, it does, and gives back how to undo it
 */
export function wrapped(script: string): string {
  return `function (text) {
  const element = this;
  const page = element.ownerDocument;
  ${HELPERS}
  globalThis.takeAway = (${script})();
}`;
}

/** Takes away what a {@link wrapped} script has left. */
export const TAKE_AWAY = 'globalThis.takeAway?.(); globalThis.takeAway = undefined;';
