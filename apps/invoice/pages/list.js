import { element } from './element.js';
import { cancel, create, filterBy, open, switchLanguage } from './actions.js';
import { amount, date } from './numbers.js';
import { choice, control, label, labelled, page, shown, word } from './page.js';
import { LANGUAGES } from './words.js';

const STATUSES = ['pending', 'approved', 'cancelled'];

export function heading() {
  const options = Object.entries(LANGUAGES);
  const language = choice('field.language', {
    options,
    chosen: page.language,
    onchange: ({ target }) => switchLanguage(target.value),
  });
  return element('header', {}, element('h1', {}, word('title')), labelled('field.language', language));
}

export function list() {
  const invoices = page.invoices.filter(({ status }) => page.filter === '' || status === page.filter);
  return element(
    'section',
    { id: 'list', class: 'panel' },
    bar(),
    invoices.length === 0 ? shown('p', 'list.empty', {}, word('noInvoices')) : table(invoices),
  );
}

function bar() {
  const statuses = choice('filter.status', {
    options: [['', word('all')], ...STATUSES.map((status) => [status, word(status)])],
    chosen: page.filter,
    onchange: ({ target }) => filterBy(target.value),
  });
  const client = choice('field.new_invoice_client', {
    options: [['', word('choose')], ...page.clients.map(({ id, name }) => [id, name])],
    chosen: page.newClient,
    onchange: ({ target }) => {
      page.newClient = target.value;
    },
  });
  return element(
    'div',
    { class: 'bar' },
    labelled('filter.status', statuses),
    element('div', { class: 'gap' }),
    labelled('field.new_invoice_client', client),
    control('button', 'invoice.create', { type: 'button', class: 'main', onclick: create }, label('invoice.create')),
  );
}

function table(invoices) {
  const names = ['id', 'client', 'date', 'total', 'status', 'actions'];
  const head = names.map((name) =>
    element('th', { scope: 'col', class: name === 'total' ? 'number' : null }, word(name)),
  );
  return control(
    'table',
    'table.invoices',
    { 'aria-label': label('table.invoices') },
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...invoices.map(row)),
  );
}

function row(invoice) {
  const { invoice_id: id, client_name: client, status } = invoice;
  const values = { invoice: id };
  const button = (key, text, more) =>
    control('button', key, { values, type: 'button', 'aria-label': label(key, values), ...more }, text);
  return element(
    'tr',
    { id: `row-${id.toLowerCase()}` },
    element('td', {}, id),
    shown('td', 'list.client.{invoice}', { values }, client),
    shown('td', 'list.date.{invoice}', { values }, date(invoice.date, page.language)),
    shown('td', 'list.total.{invoice}', { values, class: 'number' }, amount(invoice.total, page.language)),
    element(
      'td',
      {},
      shown('span', 'list.status.{invoice}', { values, class: `badge ${status}` }, word(status)),
      invoice.unsaved_changes
        ? shown('span', 'list.unsaved.{invoice}', { values, class: 'badge' }, word('unsaved'))
        : null,
    ),
    element(
      'td',
      { class: 'actions' },
      button('invoice.open.{invoice}', word('open'), { onclick: () => open(id) }),
      status === 'pending'
        ? button('invoice.cancel.{invoice}', word('cancel'), { class: 'grave', onclick: () => cancel(id) })
        : null,
    ),
  );
}
