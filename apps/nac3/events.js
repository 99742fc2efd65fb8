import { NacError } from './error.js';
import { idOf, pluginOf, roleOf } from './tree.js';

/** What a role's elements answer with. @typedef {{ success: string[], failure: string[] }} Family */

/** @type {Record<string, Family>} */
const FAMILIES = {
  field: { success: ['nac:field:changed'], failure: [] },
  option: { success: ['nac:field:changed'], failure: [] },
  tab: { success: ['nac:tab:activated'], failure: [] },
  'accordion-toggle': { success: ['nac:accordion:expanded', 'nac:accordion:collapsed'], failure: [] },
  step: { success: ['nac:step:advanced'], failure: [] },
  'pagination-item': { success: ['nac:table:page_changed'], failure: [] },
  'confirm-button': { success: ['nac:confirm:resolved', 'nac:confirm:cancelled'], failure: [] },
  'sort-control': { success: ['nac:table:sort_changed'], failure: [] },
  'filter-control': { success: ['nac:table:filter_changed'], failure: [] },
  'breadcrumb-item': { success: ['nac:breadcrumb:navigated'], failure: [] },
};
/** @type {Family} */
export const ACTION = { success: ['nac:action:succeeded'], failure: ['nac:action:failed'] };

/** What a call resolves with. @typedef {{ ok: boolean, event: string, detail: unknown }} Outcome */

/**
 * @param {Element} element
 * @returns {Family}
 */
export function familyOf(element) {
  return FAMILIES[roleOf(element)] ?? ACTION;
}

/**
 * @param {string} name
 * @param {Record<string, unknown>} detail
 */
export function emit(name, detail) {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

/**
 * Tells that a field has changed. `field_id` is its one name: there is no `nac_id` beside it.
 * @param {Element} element
 * @param {string | null} value
 */
export function emitFieldChanged(element, value) {
  emit('nac:field:changed', { plugin: pluginOf(element), field_id: idOf(element), value });
}

/**
 * Does something, and waits for the first event of a family that is meant. It listens before it does it.
 * @param {Family} family
 * @param {(event: Event) => boolean} isMeant
 * @param {number} timeout in ms
 * @param {() => void} act
 * @returns {Promise<Outcome>} `ok` is false when it was a failure's event
 * @throws NacError `timeout`: what nobody answers has failed
 */
export function outcomeOf(family, isMeant, timeout, act) {
  const names = [...family.success, ...family.failure];
  return new Promise((resolve, reject) => {
    /** @param {Event} event */
    const onEvent = (event) => {
      if (!isMeant(event)) return;
      stop();
      resolve({ ok: family.success.includes(event.type), event: event.type, detail: detailOf(event) });
    };
    const timer = setTimeout(() => {
      stop();
      reject(new NacError('timeout', `none of ${names.join(', ')} came within ${timeout} ms`));
    }, timeout);
    const stop = () => {
      clearTimeout(timer);
      for (const name of names) document.removeEventListener(name, onEvent);
    };
    for (const name of names) document.addEventListener(name, onEvent);
    act();
  });
}

/**
 * Whether an event is about an element: one of the ids that it carries is the element's, or it was dispatched within it.
 * @param {HTMLElement} element
 * @returns {(event: Event) => boolean}
 */
export function isAbout(element) {
  const id = idOf(element);
  return (event) => {
    const detail = Object.entries(detailOf(event));
    if (detail.some(([name, value]) => name.endsWith('_id') && name !== 'request_id' && value === id)) return true;
    return event.composedPath().includes(element);
  };
}

/**
 * @param {string} requestId
 * @returns {(event: Event) => boolean}
 */
export function answers(requestId) {
  return (event) => detailOf(event)['request_id'] === requestId;
}

/**
 * @param {Event} event
 * @returns {Record<string, unknown>}
 */
export function detailOf(event) {
  return event instanceof CustomEvent && typeof event.detail === 'object' && event.detail !== null ? event.detail : {};
}

/**
 * @param {string} name
 * @param {number} timeout in ms
 * @returns {Promise<Record<string, unknown>>} the detail of the next event of that name
 */
export async function waitFor(name, timeout = 5000) {
  /** @type {Record<string, unknown>} */
  let seen = {};
  const family = { success: [name], failure: [] };
  const keep = (/** @type {Event} */ event) => {
    seen = detailOf(event);
    return true;
  };
  await outcomeOf(family, keep, timeout, () => {});
  return seen;
}
