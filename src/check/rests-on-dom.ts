import type { Contract } from '../contract/schema.ts';

/**
 * Whether a contract can pass on no more than what a script in the page can write: its text, elements, address, dialogs and
 * picture. App state, the world's log and a page that is loaded anew it cannot; the answer is no page at all. Guards pass
 * where nothing was done, so they do not decide.
 */
export function restsOnDomAlone(success: Contract): boolean {
  switch (success.kind) {
    case 'and':
      return success.children.every(restsOnDomAlone);
    case 'or':
      return success.children.some(restsOnDomAlone);
    case 'not':
      return restsOnDomAlone(success.child);
    case 'dom_text':
    case 'dom_count':
      return success.fresh !== true;
    case 'url':
    case 'no_dialog':
    case 'screenshot_class':
      return true;
    case 'app_state':
    case 'unchanged':
    case 'network':
    case 'answer':
      return false;
  }
}
