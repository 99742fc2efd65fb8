import { parentElement, type CapturedElement, type CapturedNode } from './captured-tree.ts';

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

export function isEnabled(element: CapturedElement): boolean {
  return ENABLEABLE.has(element.name) && !isDisabled(element);
}

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

const isInDisabledGroup = handedUp((_, parent) => {
  if (parent.name === 'select') return isDisabled(parent);
  return parent.name === 'optgroup' && parent.attributes.has('disabled') ? true : null;
});

/** Whether a disabled fieldset contains it, other than in its first legend. */
const isInDisabledFieldset = handedUp((child, parent) => {
  const isOutside = parent.name !== 'fieldset' || !parent.attributes.has('disabled') || child === legendOf(parent);
  return isOutside ? null : true;
});

const LEGENDS = new WeakMap<CapturedElement, { legend: CapturedNode | undefined }>();

function legendOf(fieldset: CapturedElement): CapturedNode | undefined {
  const known = LEGENDS.get(fieldset) ?? {
    legend: fieldset.children.find((each) => each.kind === 'element' && each.name === 'legend'),
  };
  LEGENDS.set(fieldset, known);
  return known.legend;
}

/**
 * A question that an element passes to its parent if it cannot decide it (null); false at the root. It is answered once per
 * element, however deep or wide a page is.
 */
function handedUp(
  decide: (child: CapturedElement, parent: CapturedElement) => boolean | null,
): (element: CapturedElement) => boolean {
  const known = new WeakMap<CapturedElement, boolean>();
  return (element) => {
    const path: CapturedElement[] = [];
    let answer: boolean | null = null;
    for (let child = element, parent = parentElement(child); answer === null; parent = parentElement(child)) {
      path.push(child);
      answer = known.get(child) ?? (parent === null ? false : decide(child, parent));
      if (parent !== null) child = parent;
    }
    for (const each of path) known.set(each, answer);
    return answer;
  };
}
