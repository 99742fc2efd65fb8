import { allowed } from './confirm.js';
import { deepClosest, isCheckable, isDisabled, isNative, isVisible, valueOf } from './dom.js';
import { NacError } from './error.js';
import { emitFieldChanged, familyOf, isAbout, outcomeOf } from './events.js';
import { elementsWith, idOf, pluginOf, roleOf, theElement } from './tree.js';

/** How long an element may take to answer, in ms, when nothing else is asked for. */
export const TIMEOUT_MS = 5000;

/** @typedef {{ timeout?: number, source?: string, plugin?: string | null }} CallOptions */

/**
 * What must hold before an element is acted on.
 * @param {HTMLElement} element
 * @throws NacError `disabled`, `hidden`, `inert` or `aria_busy`
 */
export function preflight(element) {
  const id = idOf(element);
  if (isDisabled(element)) throw new NacError('disabled', `"${id}" is disabled`);
  if (!isVisible(element)) throw new NacError('hidden', `"${id}" is not visible`);
  if (deepClosest(element, '[inert]') !== null) throw new NacError('inert', `"${id}" is inert`);
  if (element.getAttribute('aria-busy') === 'true') throw new NacError('aria_busy', `"${id}" is busy`);
}

/**
 * Clicks an element, and waits until its host says what came of it.
 * @param {string} id
 * @param {CallOptions} [options]
 */
export async function click(id, options = {}) {
  return await clickElement(theElement(id, { plugin: options.plugin ?? null }), options);
}

/**
 * @param {HTMLElement} element
 * @param {CallOptions} options
 */
export async function clickElement(element, { timeout = TIMEOUT_MS }) {
  preflight(element);
  if (!(await allowed(element))) {
    return { ok: false, event: 'nac:action:confirm:denied', detail: { action_id: idOf(element), error: 'denied' } };
  }
  return await outcomeOf(familyOf(element), isAbout(element), timeout, () => {
    element.click();
    // What the browser itself has changed needs no host to say so.
    if (isField(element) && isCheckable(element)) emitFieldChanged(element, valueOf(element));
  });
}

/** @param {Element} element */
function isField(element) {
  return ['field', 'option'].includes(roleOf(element));
}

/**
 * Gives a field a value, as a user would: `input` and `change` follow.
 * @param {string} id
 * @param {unknown} value
 * @param {CallOptions} [options]
 */
export async function fill(id, value, { plugin = null } = {}) {
  const element = theElement(id, { plugin, code: 'field_not_found' });
  if (!isField(element)) throw new NacError('role_mismatch', `"${id}" is ${roleOf(element)}, not field`);
  preflight(element);
  if (isReadOnly(element)) throw new NacError('readonly', `"${id}" is read-only`);
  if (element instanceof HTMLSelectElement) return chooseOf(element, String(value));
  return setValue(element, value);
}

/** @param {HTMLElement} element */
function isReadOnly(element) {
  return element.matches(':read-only') && !(element instanceof HTMLSelectElement) && !isCheckable(element);
}

/**
 * @param {HTMLElement} element
 * @param {unknown} value
 */
function setValue(element, value) {
  if (isCheckable(element)) {
    const isOn = value === true || ['true', 'on', '1', element.value].includes(String(value));
    // A click is what frameworks listen for; of a radio that is to be off there is none.
    if (element.checked !== isOn) element.click();
  } else {
    element.focus();
    if (isNative(element)) setNative(element, String(value));
    else if (element.isContentEditable) element.textContent = String(value);
    else throw new NacError('role_mismatch', `"${idOf(element)}" cannot be filled`);
    announce(element);
  }
  const held = valueOf(element);
  if (held === '' && String(value) !== '')
    throw new NacError('invalid', `"${idOf(element)}" does not take "${String(value)}"`);
  emitFieldChanged(element, held);
  return { ok: true, event: 'nac:field:changed', detail: { field_id: idOf(element), value: held } };
}

/**
 * Past the setters that frameworks put on an element, so that they see the change.
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} element
 * @param {string} value
 */
function setNative(element, value) {
  Reflect.set(Object.getPrototypeOf(element), 'value', value, element);
}

/** @param {HTMLElement} element */
function announce(element) {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * Chooses an option: of a native list by its value or its text; else by a click on `<id>.<option>` or `<option>`.
 * @param {string} id
 * @param {string} option
 * @param {CallOptions} [options]
 */
export async function select(id, option, options = {}) {
  const plugin = options.plugin ?? null;
  const element = theElement(id, { plugin, code: 'field_not_found' });
  if (element instanceof HTMLSelectElement) {
    preflight(element);
    return chooseOf(element, option);
  }
  const [chosen] = [`${id}.${option}`, option].flatMap((each) =>
    elementsWith(each, plugin ?? pluginOf(element)).filter((found) => roleOf(found) === 'option'),
  );
  if (chosen === undefined) throw new NacError('OptionsUnavailable', `"${id}" has no option "${option}"`);
  return await clickElement(chosen, options);
}

/**
 * @param {HTMLSelectElement} list
 * @param {string} wanted
 */
function chooseOf(list, wanted) {
  const options = [...list.options];
  const option = options.find(({ value }) => value === wanted) ?? options.find(({ label }) => label === wanted);
  if (option === undefined || option.disabled) {
    const there = options.map(({ value }) => value).join(', ');
    throw new NacError('OptionsUnavailable', `"${idOf(list)}" has no option "${wanted}"; it has ${there}`);
  }
  setNative(list, option.value);
  announce(list);
  emitFieldChanged(list, list.value);
  return { ok: true, event: 'nac:field:changed', detail: { field_id: idOf(list), value: list.value } };
}

/**
 * Scrolls to a section.
 * @param {string} id
 */
export async function goToSection(id) {
  const element = theElement(id, { code: 'section_not_found' });
  if (!['section', 'region'].includes(roleOf(element)))
    throw new NacError('section_not_found', `"${id}" is ${roleOf(element)}, not section`);
  element.scrollIntoView({ block: 'start' });
  return { ok: true };
}
