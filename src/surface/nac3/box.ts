import type { ShownElement } from './shown.ts';

const ON = new Set(['true', 'on', '1', 'yes', 'checked']);
const OFF = new Set(['false', 'off', '0', 'no', 'unchecked', '']);
const BOXES = new Set(['checkbox', 'toggle', 'switch']);

/** Whether a field is a box that is checked or not, as far as the description tells. */
export function isBox({ checked, value, field_type: type = '' }: ShownElement): boolean {
  if (type === 'radio') return false;
  return BOXES.has(type) || checked !== undefined || typeof value === 'boolean';
}

/** Reads from the agent's text whether a box is to be checked: runtimes take any text for yes, "false" too. Null where it does not say, or is no box. */
export function boxValueOf(element: ShownElement, wanted: string | number | boolean): boolean | null {
  if (!isBox(element)) return null;
  const said = String(wanted).trim().toLowerCase();
  if (ON.has(said)) return true;
  return OFF.has(said) ? false : null;
}

/** Whether a box is checked; null where the description does not say. */
export function isBoxChecked({ checked, value }: ShownElement): boolean | null {
  return checked ?? (typeof value === 'boolean' ? value : null);
}
