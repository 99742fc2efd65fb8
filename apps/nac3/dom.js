/** How deep open shadow roots are searched. */
const MAX_SHADOW_DEPTH = 10;
/** Longest label that is taken from an element's text, in characters. */
const MAX_TEXT_LABEL = 80;

/**
 * All elements that match, in the order of the page, open shadow roots included.
 * @param {string} selector
 * @param {ParentNode} within
 * @param {number} depth
 * @returns {HTMLElement[]}
 */
export function deepAll(selector, within = document, depth = 0) {
  /** @type {HTMLElement[]} */
  const found = [];
  for (const element of within.querySelectorAll('*')) {
    if (element instanceof HTMLElement && element.matches(selector)) found.push(element);
    if (element.shadowRoot !== null && depth < MAX_SHADOW_DEPTH)
      found.push(...deepAll(selector, element.shadowRoot, depth + 1));
  }
  return found;
}

/**
 * The element itself or the nearest around it that matches, out of shadow roots too.
 * @param {Element | null} element
 * @param {string} selector
 * @returns {Element | null}
 */
export function deepClosest(element, selector) {
  for (let at = element; at !== null; at = hostOf(at)) {
    const found = at.closest(selector);
    if (found !== null) return found;
  }
  return null;
}

/**
 * @param {Element} element
 * @returns {Element | null}
 */
function hostOf(element) {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

/**
 * Whether a user could see it: rendered with a size, and nothing around it hides it from assistive technology.
 * @param {HTMLElement} element
 */
export function isVisible(element) {
  if (deepClosest(element, '[aria-hidden="true"], [hidden]') !== null) return false;
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
}

/** @param {HTMLElement} element */
export function isDisabled(element) {
  return element.matches(':disabled') || deepClosest(element, '[aria-disabled="true"]') !== null;
}

/**
 * What a user reads at it: `aria-label`, what `aria-labelledby` names, its `<label>`, a label within, else its own text.
 * @param {HTMLElement} element
 */
export function labelOf(element) {
  const spoken = element.getAttribute('aria-label');
  if (spoken !== null && spoken.trim() !== '') return spoken.trim();
  const label = labelledBy(element) ?? labelElement(element);
  if (label !== null) return textOf(label);
  return textOf(element).slice(0, MAX_TEXT_LABEL);
}

/** @param {HTMLElement} element */
function labelledBy(element) {
  const id = element.getAttribute('aria-labelledby');
  const root = element.getRootNode();
  if (id === null || !(root instanceof Document || root instanceof ShadowRoot)) return null;
  return root.getElementById(id);
}

/** @param {HTMLElement} element */
function labelElement(element) {
  const isField = isNative(element);
  if (isField) return element.labels?.[0] ?? null;
  return element.querySelector('legend, label');
}

/** @param {Element} element */
function textOf(element) {
  const copy = element.cloneNode(true);
  if (!(copy instanceof Element)) return '';
  for (const inner of copy.querySelectorAll('input, select, textarea, script, style')) inner.remove();
  // Cells and blocks that follow each other are words of their own.
  for (const inner of copy.querySelectorAll('td, th, li, p, div, option, dt, dd')) inner.append(' ');
  return (copy.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}

/**
 * @param {Element} element
 * @returns {element is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement}
 */
export function isNative(element) {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

/**
 * @param {Element} element
 * @returns {element is HTMLInputElement}
 */
export function isCheckable(element) {
  return element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio');
}

/**
 * What a field holds, as text; null for what holds nothing.
 * @param {HTMLElement} element
 */
export function valueOf(element) {
  if (isCheckable(element)) return element.type === 'radio' ? element.value : String(element.checked);
  if (isNative(element)) return element.value;
  const declared = element.getAttribute('data-nac-value');
  if (declared !== null) return declared;
  return element.isContentEditable ? (element.textContent ?? '') : null;
}
