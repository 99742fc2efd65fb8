import { emit } from './events.js';
import { idOf, pluginOf } from './tree.js';

/** What is asked before an action that wants confirmation. @typedef {{ plugin: string | null, action_id: string, message: string }} Question */
/** @typedef {(question: Question) => boolean | Promise<boolean>} ConfirmHandler */

/** @type {ConfirmHandler | null} */
let handler = null;

/** @param {ConfirmHandler | null} given null: the host asks by itself, in the page */
export function setConfirmHandler(given) {
  handler = given;
}

/**
 * Asks whoever confirms for this host. Without a handler it is denied: nobody has said yes.
 * @param {Question} question
 */
export async function confirmAction(question) {
  emit('nac:action:confirm:requested', question);
  const isGranted = handler !== null && (await handler(question));
  emit(`nac:action:confirm:${isGranted ? 'granted' : 'denied'}`, question);
  return isGranted;
}

/**
 * Whether an action may run: one that wants confirmation is asked for, if the host has set who confirms.
 * @param {HTMLElement} element
 */
export async function allowed(element) {
  const hints = (element.getAttribute('data-nac-a11y-hint') ?? '').split('|');
  if (handler === null || !hints.includes('requires_confirmation')) return true;
  const message = element.getAttribute('data-nac-confirmation-message') ?? '';
  return await confirmAction({ plugin: pluginOf(element), action_id: idOf(element), message });
}
