import type { NacCall } from './in-page.ts';
import { boxValueOf } from './box.ts';
import { optionOf, targetName } from './safety.ts';
import type { NacShown, ShownElement } from './shown.ts';
import type { NacAction } from './actions.ts';

/** The events by which hosts are asked with arguments: the standard's, and that of pages which pass them on themselves. */
const ASKED = ['nac:action:requested', 'nac:action:invoke_with_args'];
/** The events that say that a tab is open: the standard's, and the one that its vendor's runtime waits for. */
const OPENED = ['nac:tab:activated', 'nac:tab:changed'];

/**
 * An action as the page's runtime is called for it. What an agent may write shorter is written out, so that runtimes which
 * take whole names only are called alike.
 * @param timeout how long the host may take, in ms
 */
export function nacCallOf(
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
