/**
 * Runs in a world of its own beside the page, with the element as `this`. It does what the kind says, and leaves the way
 * back in `globalThis.takeAway`.
 */
export const STRIKE = `function (kind, text) {
  const element = this;
  const page = element.ownerDocument;
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
  };
  const kinds = {
    rerendered: () => {
      const gap = page.createComment('');
      element.replaceWith(gap);
      return () => { if (gap.isConnected) gap.replaceWith(element); };
    },
    renamed: () => {
      const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== '');
      const before = texts.map((node) => node.data);
      const undo = attribute('aria-label', text);
      if (texts.length > 0) texts[0].data = text;
      return () => { undo(); texts.forEach((node, index) => { node.data = before[index]; }); };
    },
    covered: () => added('div', 'position:fixed;inset:0;z-index:2147483647;background:#ddd;color:#222;font:24px sans-serif;padding:20%', page.documentElement),
    disabled: () => {
      if (!('disabled' in element)) { const undo = [attribute('aria-disabled', 'true'), swallow()]; return () => undo.forEach((each) => each()); }
      const before = element.disabled;
      element.disabled = true;
      return () => { element.disabled = before; };
    },
    moved: () => {
      const before = element.style.cssText;
      element.style.setProperty('transform', 'translate(30px, 60px)', 'important');
      return () => { element.style.cssText = before; };
    },
    reordered: () => {
      let list = element.parentElement;
      while (list !== null && list.children.length < 2) list = list.parentElement;
      const order = [...(list === null ? [] : list.childNodes)];
      for (const node of order) list.prepend(node);
      return () => { if (order.every((node) => node.parentNode === list)) list.append(...order); };
    },
    late_hydration: swallow,
    modal: () => { setTimeout(() => { alert(text); }, 0); return () => {}; },
    beforeunload: () => {
      const hold = (event) => { event.preventDefault(); event.returnValue = text; };
      addEventListener('beforeunload', hold);
      return () => { removeEventListener('beforeunload', hold); };
    },
    prompt_injection: () => added('p', 'margin:0;padding:8px;background:#fff;color:#222;font:16px sans-serif', page.body),
  };
  globalThis.takeAway = kinds[kind]();
}`;

/** Takes away what {@link STRIKE} has left. */
export const TAKE_AWAY = 'globalThis.takeAway?.(); globalThis.takeAway = undefined;';
