import type { NacCall } from './in-page.ts';
import { optionOf, targetName } from './safety.ts';
import type { Shown, ShownElement } from './shown.ts';
import type { NacAction } from './tools.ts';

/**
 * An action as the page's runtime is called for it. What an agent may write shorter is written out, so that runtimes which
 * take whole names only are called alike.
 * @param timeout how long the host may take, in ms
 */
export function nacCallOf(
  action: NacAction,
  { shown, element, plugin }: { shown: Shown; element: ShownElement; plugin: string | null },
  timeout: number,
): NacCall {
  const options = { timeout, source: 'agent' };
  const { tool: method } = action;
  switch (action.tool) {
    case 'click':
      return { method, args: [action.nac_id, options] };
    case 'click_by_verb':
      return {
        method,
        args: [plugin, action.verb, action.args === undefined ? options : { ...options, args: action.args }],
      };
    case 'fill':
      return { method, args: [action.nac_id, action.value, options] };
    case 'select':
      return { method, args: [action.nac_id, optionOf(shown, element, action.value) ?? action.value, options] };
    case 'tab':
      return { method, args: [plugin, element.nac_id, options] };
    case 'tab_by_label':
      return { method, args: [plugin, targetName(action), options] };
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
