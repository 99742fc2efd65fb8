import { optionsText } from '../page/tools.ts';
import type { Act, Outcome, Turn } from '../page/view.ts';
import type { NacAction } from './actions.ts';
import { callPage, type NacCall } from './call-page.ts';
import type { NacTab } from './nac-tab.ts';
import { onNamed } from './on-named.ts';
import { type NacMatch, optionOf, targetName, targetOf, whyUnsafe } from './naming.ts';
import { given } from './described.ts';
import type { NacShown, ShownElement } from './shown.ts';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { isCovered, isPlaywrightTimeout } from '../page/playwright-errors.ts';

const ON = new Set(['true', 'on', '1', 'yes', 'checked']);
const OFF = new Set(['false', 'off', '0', 'no', 'unchecked', '']);
const BOXES = new Set(['checkbox', 'toggle', 'switch']);

function isBox({ checked, value, field_type: type = '' }: ShownElement): boolean {
  if (type === 'radio') return false;
  return BOXES.has(type) || checked !== undefined || typeof value === 'boolean';
}

/** Whether to check a box: runtimes take any text for yes, even "false". Null if the text is unclear, or the field is not a box. */
function boxValueOf(element: ShownElement, wanted: string | number | boolean): boolean | null {
  if (!isBox(element)) return null;
  const text = String(wanted).trim().toLowerCase();
  if (ON.has(text)) return true;
  return OFF.has(text) ? false : null;
}

function isBoxChecked({ checked, value }: ShownElement): boolean | null {
  return checked ?? (typeof value === 'boolean' ? value : null);
}

export function onNac(action: NacAction): Act<NacTab> {
  return onNamed<NacMatch>({
    find: (shown) => targetOf(shown, action),
    problem: (shown) => whyUnsafe(shown, action),
    // An element that only the manifest lists now is gone from the page.
    isThere: ({ element }, before) =>
      element.not_in_page !== true ||
      targetOf(before, action).matches.every(({ element: shown }) => shown.not_in_page === true),
    notOne: (_now, count) => goneOrSeveral(action, count),
    act: (turn, match, now) => actOn(turn, action, match, now),
  });
}

async function actOn(
  turn: Turn<NacTab>,
  action: NacAction,
  { element, plugin: { plugin } }: NacMatch,
  now: NacShown,
): Promise<Outcome<NacTab>> {
  const { stage, signal, target } = turn;
  // Hosts may be asked for actions without an element of their own.
  const isAsked = element.not_in_page === true && (action.tool === 'invoke' || action.tool === 'click_by_verb');
  if (!isAsked) {
    const block = await stage.act((page, timing) => blockOf(page, element, plugin, timing), signal);
    target.learn({ actionable: block === null });
    if (block !== null) return { problem: block };
  }
  const whole = await withOptions(turn, action, element, plugin);
  const unfit = unfitFor(action, whole, now);
  if (unfit !== null) return { problem: unfit };
  const { timeout } = stage.timing(signal);
  const outcome = await callPage(turn, nacCallOf(action, { shown: now, element: whole, plugin }, timeout));
  if ('problem' in outcome || action.tool !== 'fill') return outcome;
  return { ...outcome, whyUndone: ({ nac }) => whyBoxUnchanged(action, element, nac) };
}

function goneOrSeveral(action: NacAction, count: number): string {
  const name = `"${targetName(action)}"`;
  return count === 0
    ? `${name} is not there any more; call "describe" and name what is`
    : `${name} is ${count} elements now; call "describe" and name one of them`;
}

/** Adds the options of a native list to choose from, if its description names none. */
async function withOptions(
  { stage, signal }: Turn<NacTab>,
  action: NacAction,
  element: ShownElement,
  plugin: string,
): Promise<ShownElement> {
  if (action.tool !== 'select' || (element.options ?? []).length > 0) return element;
  const options = await stage.act((page) => nativeOptions(page, element, plugin), signal);
  return { ...element, options: options ?? [] };
}

/** Returns why a value does not fit this field, or null. */
function unfitFor(action: NacAction, element: ShownElement, shown: NacShown): string | null {
  const name = `"${element.nac_id}"`;
  if (action.tool === 'fill' && isBox(element) && boxValueOf(element, action.value) === null)
    return `${name} is checked or not; fill it with true or false`;
  const { options = [] } = element;
  if (action.tool !== 'select' || options.length === 0 || optionOf(shown, element, action.value) !== null) return null;
  return `${name} has no option "${action.value}"; ${optionsText(options.map(({ value }) => value))}`;
}

/** Returns why a box that was not changed is a failure, even if its runtime reports success. */
function whyBoxUnchanged(action: NacAction & { tool: 'fill' }, element: ShownElement, after: NacShown): string | null {
  const wanted = boxValueOf(element, action.value);
  const now = targetOf(after, action).matches[0]?.element;
  if (wanted === null || now === undefined || (isBoxChecked(now) ?? wanted) === wanted) return null;
  return `unsupported: the runtime of this page left "${element.nac_id}" as it was; "click" it`;
}

/** The events that carry arguments to hosts: the standard's, and that of pages which pass them on themselves. */
const ASKED = ['nac:action:requested', 'nac:action:invoke_with_args'];
/** The events that report an open tab: the standard's, and the one that its vendor's runtime waits for. */
const OPENED = ['nac:tab:activated', 'nac:tab:changed'];

/**
 * The call of the page's runtime for an action. Short names are written out, since some runtimes take whole ones only.
 * @param timeout how long the host may take, in ms
 */
function nacCallOf(
  action: NacAction,
  { shown, element, plugin }: { shown: NacShown; element: ShownElement; plugin: string },
  timeout: number,
): NacCall {
  const options = { timeout, source: 'agent' };
  const { tool: method } = action;
  switch (action.tool) {
    case 'click':
      return { method, args: [action.nac_id, options] };
    case 'click_by_verb':
      if (action.args === undefined) return { method, args: [plugin, action.verb, options] };
      // Some runtimes take the arguments among the options, the standard's under "args".
      return {
        method,
        args: [plugin, action.verb, { ...action.args, ...options, args: action.args }],
        carriers: ASKED,
      };
    case 'fill':
      return { method, args: [action.nac_id, boxValueOf(element, action.value) ?? action.value, options] };
    case 'select':
      return { method, args: [action.nac_id, optionOf(shown, element, action.value) ?? action.value, options] };
    case 'tab':
      return { method, args: [plugin, element.nac_id, options], tab: { id: element.nac_id, events: OPENED } };
    case 'tab_by_label':
      return { method, args: [plugin, targetName(action), options], tab: { id: element.nac_id, events: OPENED } };
    case 'invoke':
      return { method, args: [action.nac_id, action.payload, options] };
    case 'utter':
      return { method, args: [action.nac_id, { text: action.text, ...given('lang', action.lang) }, options] };
  }
}

/** Returns why an element cannot be acted on now, or null. A runtime clicks even what another element covers; a user cannot. */
async function blockOf(
  page: Page,
  element: ShownElement,
  plugin: string,
  timing: { timeout: number; signal: AbortSignal },
): Promise<string | null> {
  const name = `"${element.nac_id}"`;
  if (element.not_in_page === true) return `${name} is not on the page; only its host can be asked for it`;
  if (element.disabled === true) return `${name} is disabled`;
  if (element.hidden === true) return `${name} is hidden`;
  const found = page.locator(selectorOf(element, plugin)).filter({ visible: true });
  // Only the runtime finds an element that lacks the attributes of the standard.
  if ((await found.count()) !== 1) return null;
  try {
    await found.click({ ...timing, trial: true });
    return null;
  } catch (error) {
    if (!isPlaywrightTimeout(error)) throw error;
    return isCovered(error) ? `${name} is covered by another element` : `${name} cannot be acted on`;
  }
}

function selectorOf({ nac_id: nacId }: ShownElement, plugin: string): string {
  return `css=[data-nac-plugin=${quoted(plugin)}] [data-nac-id=${quoted(nacId)}]`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\a `)}"`;
}

const Options = z.array(z.object({ value: z.string(), label: z.string() })).catch([]);

/** The options of a native list, for runtimes that describe none, and would empty a list that lacks the value. */
async function nativeOptions(page: Page, element: ShownElement, plugin: string): Promise<z.infer<typeof Options>> {
  const found = page.locator(selectorOf(element, plugin)).filter({ visible: true });
  return (await found.count()) === 1 ? Options.parse(await found.evaluate(optionsIn)) : [];
}

/** Runs in the page. */
function optionsIn(list: unknown): unknown[] {
  const options: unknown = Object(list).tagName === 'SELECT' ? Object(list).options : [];
  return Array.from(Object(options), (option) => ({
    value: String(Object(option).value),
    label: String(Object(option).label),
  }));
}
