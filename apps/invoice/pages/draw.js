import { confirmation } from './confirmation.js';
import { editor } from './editor.js';
import { element, redraw } from './element.js';
import { heading, list } from './list.js';
import { rootDecoration, syncManifest } from './nac.js';
import { drawn, page, shown, word } from './page.js';

/** Makes the document what the page is now. */
export function drawDocument() {
  document.documentElement.lang = page.language;
  document.title = word('title');
  drawn.clear();
  const next = element(
    'body',
    {},
    element(
      'main',
      rootDecoration(),
      heading(),
      message(),
      page.invoice === null ? list() : editor(),
      page.confirming === null ? null : confirmation(),
    ),
  );
  redraw(document.body, next, ({ id }) => page.typed.has(id));
  const dialog = document.querySelector('dialog');
  if (dialog !== null && !dialog.open) dialog.showModal();
  showAddress();
  syncManifest(drawn);
}

/** What was done last, or why not. NAC3 has no element for it while there is nothing to say. */
function message() {
  const { text, isError } = page.message;
  const attributes = { id: 'message', class: 'message', role: isError ? 'alert' : 'status' };
  if (text === '') return element('p', attributes);
  return shown('p', 'page.message', { nac: { state: isError ? 'error' : 'idle' }, ...attributes }, text);
}

/** The address names what is open, so that a page that is loaded again shows it. */
function showAddress() {
  const address = new URL(location.href);
  address.search = '';
  address.searchParams.set('lang', page.language);
  if (page.invoice !== null) {
    address.searchParams.set('invoice', page.invoice.invoice_id);
    address.searchParams.set('step', page.step);
  }
  if (address.href !== location.href) history.replaceState(null, '', address);
}
