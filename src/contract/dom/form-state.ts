import { parentElement, type CapturedElement } from './captured-tree.ts';

const CONTROLS: ReadonlySet<string> = new Set(['button', 'input', 'select', 'textarea', 'fieldset']);
const ENABLEABLE: ReadonlySet<string> = new Set([...CONTROLS, 'option', 'optgroup']);
const REQUIRABLE: ReadonlySet<string> = new Set(['input', 'select', 'textarea']);
const OPTIONAL: ReadonlySet<string> = new Set([...REQUIRABLE, 'button']);
const CHECKABLE: ReadonlySet<string> = new Set(['checkbox', 'radio']);

/** `:checked`: by the state that the browser captured. */
export function isChecked(element: CapturedElement): boolean {
  if (element.name === 'option' || element.name === 'optgroup') return element.selected;
  const type = element.attributes.get('type')?.toLowerCase() ?? '';
  return element.name === 'input' && CHECKABLE.has(type) && element.checked;
}

/** `:disabled` (HTML standard, "actually disabled"). */
export function isDisabled(element: CapturedElement): boolean {
  if (!ENABLEABLE.has(element.name)) return false;
  if (element.attributes.has('disabled')) return true;
  if (element.name === 'option' || element.name === 'optgroup') return isInDisabledGroup(element);
  return CONTROLS.has(element.name) && isInDisabledFieldset(element);
}

/** `:enabled`. */
export function isEnabled(element: CapturedElement): boolean {
  return ENABLEABLE.has(element.name) && !isDisabled(element);
}

/** `:required`. */
export function isRequired(element: CapturedElement): boolean {
  return REQUIRABLE.has(element.name) && mayBeRequired(element) && element.attributes.has('required');
}

/** `:optional`; the browser counts buttons too. */
export function isOptional(element: CapturedElement): boolean {
  return OPTIONAL.has(element.name) && !isRequired(element);
}

const NEVER_REQUIRED: ReadonlySet<string> = new Set(['hidden', 'range', 'color', 'submit', 'image', 'reset', 'button']);

function mayBeRequired(element: CapturedElement): boolean {
  return element.name !== 'input' || !NEVER_REQUIRED.has(element.attributes.get('type')?.toLowerCase() ?? '');
}

function isInDisabledGroup(option: CapturedElement): boolean {
  for (let node = parentElement(option); node !== null; node = parentElement(node)) {
    if (node.name === 'select') return isDisabled(node);
    if (node.name === 'optgroup' && node.attributes.has('disabled')) return true;
  }
  return false;
}

/** Whether a disabled fieldset contains it, other than in its first legend. */
function isInDisabledFieldset(element: CapturedElement): boolean {
  let child = element;
  for (let node = parentElement(child); node !== null; child = node, node = parentElement(node)) {
    if (node.name !== 'fieldset' || !node.attributes.has('disabled')) continue;
    const legend = node.children.find((each) => each.kind === 'element' && each.name === 'legend');
    if (child !== legend) return true;
  }
  return false;
}
