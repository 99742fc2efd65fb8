import type { Page } from 'playwright-core';
import { z } from 'zod';
import type { ModelNode } from './page-model.ts';

const Oracle = z.object({
  /** By number of element: `innerText`, or null when it is not rendered, where the browser gives `textContent`. */
  texts: z.record(z.string(), z.string().nullable()),
  /** By selector: what `querySelectorAll` finds in the document and in all shadow roots, in shadow-including order. */
  found: z.array(z.array(z.string())),
});
export type Oracle = z.infer<typeof Oracle>;

/** Builds the page in the browser from its model, and asks the browser for all texts and selections in one go. */
export async function buildAndAsk(
  page: Page,
  body: readonly ModelNode[],
  selectors: readonly string[],
): Promise<Oracle> {
  return Oracle.parse(await page.evaluate(`(${IN_PAGE})(${JSON.stringify({ body, selectors })})`));
}

const IN_PAGE = `({ body, selectors }) => {
  const roots = [document];
  const shadows = new Map();
  const build = (node) => {
    if (typeof node === 'string') return document.createTextNode(node);
    const namespace = ['svg', 'g', 'text', 'tspan'].includes(node.tag) ? 'http://www.w3.org/2000/svg' : 'http://www.w3.org/1999/xhtml';
    const element = document.createElementNS(namespace, node.tag);
    for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, value);
    if (node.shadow) {
      const root = element.attachShadow({ mode: node.shadow.mode });
      shadows.set(element, root);
      roots.push(root);
      root.append(...node.shadow.children.map(build));
    }
    element.append(...node.children.map(build));
    return element;
  };
  document.body.replaceChildren(...body.map(build));

  const order = [];
  const walk = (parent) => {
    for (const element of parent.children) {
      order.push(element);
      if (shadows.has(element)) walk(shadows.get(element));
      walk(element);
    }
  };
  walk(document);

  const numberOf = (element) => element.getAttribute('data-n') ?? element.localName;
  // An option has text while its list box is shown, though it has no box of its own.
  const isRendered = (element) => {
    const list = element.closest('select');
    if (list && getComputedStyle(list).visibility !== 'visible') return false;
    if (list && list !== element) return isRendered(list);
    for (let node = element; node !== null; node = node.parentElement) {
      if (getComputedStyle(node).display === 'none') return false;
    }
    return true;
  };
  const texts = {};
  for (const element of order) {
    // The browser gives a group the text of its options in some lists, and of those laid out in others.
    if (!(element instanceof HTMLElement) || element instanceof HTMLOptGroupElement) continue;
    texts[numberOf(element)] = isRendered(element) ? element.innerText : null;
  }
  const found = selectors.map((selector) => {
    const hits = new Set(roots.flatMap((root) => [...root.querySelectorAll(selector)]));
    return order.filter((element) => hits.has(element)).map(numberOf);
  });
  return { texts, found };
}`;
