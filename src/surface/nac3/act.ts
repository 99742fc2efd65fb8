import { optionsText } from '../page/choose-option.ts';
import type { Act, Turn } from '../page/view.ts';
import type { NacAction } from './actions.ts';
import { callPage } from './call-page.ts';
import type { NacCall } from './in-page.ts';
import type { NacTab } from './nac-tab.ts';
import { blockOf, nativeOptions } from './reach.ts';
import { aimOf, type NacAim, optionOf, targetName, whyUnsafe } from './safety.ts';
import type { NacShown, ShownElement } from './shown.ts';

const ON = new Set(['true', 'on', '1', 'yes', 'checked']);
const OFF = new Set(['false', 'off', '0', 'no', 'unchecked', '']);
const BOXES = new Set(['checkbox', 'toggle', 'switch']);

/** Whether a field is a box that is checked or not, as far as the description tells. */
function isBox({ checked, value, field_type: type = '' }: ShownElement): boolean {
  if (type === 'radio') return false;
  return BOXES.has(type) || checked !== undefined || typeof value === 'boolean';
}

/** Reads from the agent's text whether a box is to be checked: runtimes take any text for yes, "false" too. Null where it does not say, or is no box. */
function boxValueOf(element: ShownElement, wanted: string | number | boolean): boolean | null {
  if (!isBox(element)) return null;
  const said = String(wanted).trim().toLowerCase();
  if (ON.has(said)) return true;
  return OFF.has(said) ? false : null;
}

/** Whether a box is checked; null where the description does not say. */
function isBoxChecked({ checked, value }: ShownElement): boolean | null {
  return checked ?? (typeof value === 'boolean' ? value : null);
}

/** Has the page's runtime act on an element, if the agent was shown what it names, and that is there once, now as then. */
export function onNac(action: NacAction): Act<NacTab> {
  return {
    locate: ({ target, shown, earlier }) => {
      const aim = shown === null ? null : aimOf(shown.nac, action);
      target.located({
        shown: (aim?.matches.length ?? 0) > 0,
        shown_before: earlier.some(({ nac }) => aimOf(nac, action).matches.length > 0),
        matched_then: aim?.matches.length ?? null,
        invented: aim?.invented ?? [],
      });
    },
    run: async (turn) => {
      const { stage, signal, target } = turn;
      const before = turn.shown?.nac ?? null;
      const unsafe = whyUnsafe(before, action);
      const now = await turn.see();
      if (now === null) return { problem: stage.describeDialog() };
      if (now.isNotice === true) return { problem: now.text };
      const { matches, plugin } = stillThere(before, aimOf(now.nac, action), action);
      target.learn({ matched_now: matches.length });
      if (unsafe !== null) return { problem: unsafe };
      const [element] = matches;
      if (element === undefined || matches.length > 1) return { problem: goneOrSeveral(action, matches.length) };
      // Hosts may be asked for what has no element of its own.
      const isAsked = element.not_in_page === true && (action.tool === 'invoke' || action.tool === 'click_by_verb');
      if (!isAsked) {
        const block = await stage.act((page, timing) => blockOf(page, element, plugin, timing), signal);
        target.learn({ actionable: block === null });
        if (block !== null) return { problem: block };
      }
      const whole = await withOptions(turn, action, element, plugin);
      const unfit = unfitFor(action, whole, now.nac);
      if (unfit !== null) return { problem: unfit };
      const { timeout } = stage.timing(signal);
      const outcome = await callPage(turn, nacCallOf(action, { shown: now.nac, element: whole, plugin }, timeout));
      if ('problem' in outcome || action.tool !== 'fill') return outcome;
      return { ...outcome, whyUndone: ({ nac }) => whyBoxUnchanged(action, element, nac) };
    },
  };
}

/** An element that only the manifest lists now is gone from the page. */
function stillThere(before: NacShown | null, now: NacAim, action: NacAction): NacAim {
  if (before === null) return now;
  const wasInPage = aimOf(before, action).matches.some(({ not_in_page: absent }) => absent !== true);
  return wasInPage ? { ...now, matches: now.matches.filter(({ not_in_page: absent }) => absent !== true) } : now;
}

function goneOrSeveral(action: NacAction, count: number): string {
  const name = `"${targetName(action)}"`;
  return count === 0
    ? `${name} is not there any more; call "describe" and name what is`
    : `${name} is ${count} elements now; call "describe" and name one of them`;
}

/** Adds the options of a native list that is chosen from, where its description names none. */
async function withOptions(
  { stage, signal }: Turn<NacTab>,
  action: NacAction,
  element: ShownElement,
  plugin: string | null,
): Promise<ShownElement> {
  if (action.tool !== 'select' || (element.options ?? []).length > 0) return element;
  const options = await stage.act((page) => nativeOptions(page, element, plugin), signal);
  return { ...element, options: options ?? [] };
}

/** Why a value does not fit this field; null when it may. */
function unfitFor(action: NacAction, element: ShownElement, shown: NacShown): string | null {
  const name = `"${element.nac_id}"`;
  if (action.tool === 'fill' && isBox(element) && boxValueOf(element, action.value) === null)
    return `${name} is checked or not; fill it with true or false`;
  const { options = [] } = element;
  if (action.tool !== 'select' || options.length === 0 || optionOf(shown, element, action.value) !== null) return null;
  return `${name} has no option "${action.value}"; ${optionsText(options.map(({ value }) => value))}`;
}

/** A box that is not as it was filled is no success, even if its runtime reports one. */
function whyBoxUnchanged(action: NacAction & { tool: 'fill' }, element: ShownElement, after: NacShown): string | null {
  const wanted = boxValueOf(element, action.value);
  const [now] = aimOf(after, action).matches;
  if (wanted === null || now === undefined || (isBoxChecked(now) ?? wanted) === wanted) return null;
  return `unsupported: the runtime of this page left "${element.nac_id}" as it was; "click" it`;
}

/** The events by which hosts are asked with arguments: the standard's, and that of pages which pass them on themselves. */
const ASKED = ['nac:action:requested', 'nac:action:invoke_with_args'];
/** The events that say that a tab is open: the standard's, and the one that its vendor's runtime waits for. */
const OPENED = ['nac:tab:activated', 'nac:tab:changed'];

/**
 * An action as the page's runtime is called for it. What an agent may write shorter is written out, so that runtimes which
 * take whole names only are called alike.
 * @param timeout how long the host may take, in ms
 */
function nacCallOf(
  action: NacAction,
  { shown, element, plugin }: { shown: NacShown; element: ShownElement; plugin: string | null },
  timeout: number,
): NacCall {
  const options = { timeout, source: 'agent' };
  const { tool: method } = action;
  switch (action.tool) {
    case 'click':
      return { method, args: [action.nac_id, options] };
    case 'click_by_verb':
      if (action.args === undefined) return { method, args: [plugin, action.verb, options] };
      // Some runtimes take them beside the options, and the standard's under a name of their own.
      return { method, args: [plugin, action.verb, { ...action.args, ...options, args: action.args }], hears: ASKED };
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
      return {
        method,
        args: [
          action.nac_id,
          { text: action.text, ...(action.lang === undefined ? {} : { lang: action.lang }) },
          options,
        ],
      };
  }
}
