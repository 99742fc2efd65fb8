import { answerCancel } from './actions.js';
import { element } from './element.js';
import { control, label, page, shown, word } from './page.js';

/** Asks, in the page, whether an invoice is to be cancelled. */
export function confirmation() {
  const { invoice_id: invoice, client_name: client } = page.confirming;
  const values = { invoice };
  const button = (key, isYes) => {
    const more = { class: isYes ? 'grave' : null, autofocus: !isYes, onclick: () => answerCancel(isYes) };
    return control('button', key, { values, type: 'button', ...more }, label(key, values));
  };
  return control(
    'dialog',
    'modal.cancel',
    { values, 'aria-label': label('modal.cancel', values), oncancel: (event) => refuseAll(event) },
    element('h2', {}, label('modal.cancel', values)),
    shown('p', 'cancel.text', {}, word('irreversible', { invoice, client })),
    element('div', { class: 'bar' }, button('confirm.yes', true), button('confirm.no', false)),
  );
}

/** The key Escape says no. */
function refuseAll(event) {
  event.preventDefault();
  void answerCancel(false);
}
