import {
  addLine,
  approve,
  close,
  correct,
  discard,
  removeLine,
  save,
  sendTyped,
  stepBy,
  stepTo,
  type,
} from './actions.js';
import { element } from './element.js';
import { amount } from './numbers.js';
import { choice, control, idOf, label, labelled, page, shown, word } from './page.js';

const STEPS = ['client', 'lines', 'conditions'];
const HEADER = ['client_name', 'tax_id', 'address', 'email', 'phone', 'date'];
const METHODS = ['cash', 'transfer', 'cheque', 'credit'];
const TERMS = [0, 15, 30, 60];

/** The wizard: client, lines, conditions of the open invoice. */
export function editor() {
  const { invoice_id: invoice, client_name: client, status, total, unsaved_changes: isUnsaved } = page.invoice;
  const badges = [
    shown('span', 'invoice.status', { class: `badge ${status}` }, word(status)),
    isUnsaved ? shown('span', 'invoice.unsaved', { class: 'badge' }, word('unsaved')) : null,
  ];
  return element(
    'section',
    { id: 'editor', class: 'panel' },
    shown('h2', 'invoice.number', {}, word('invoice', { invoice })),
    element(
      'p',
      {},
      shown('span', 'invoice.client', {}, client),
      ' ',
      ...badges,
      ` ${word('total')}: `,
      shown('strong', 'invoice.total', { id: 'total' }, amount(total, page.language)),
    ),
    isEditable() ? null : shown('p', 'invoice.closed', {}, word('closed')),
    toolbar(),
    element('div', { role: 'tablist', 'aria-label': word('invoice', { invoice }) }, ...STEPS.map(tab)),
    panel(),
    element('div', { class: 'bar' }, stepButton('step.previous', -1), stepButton('step.next', 1)),
  );
}

function isEditable() {
  return page.invoice.status === 'pending';
}

function button(key, onclick, { values = {}, kind = null, text = label(key, values) } = {}) {
  const name = text === label(key, values) ? null : label(key, values);
  return control('button', key, { values, type: 'button', class: kind, 'aria-label': name, onclick }, text);
}

function toolbar() {
  const changing = isEditable()
    ? [button('invoice.save', save, { kind: 'main' }), button('invoice.discard', discard)]
    : [];
  return element('div', { class: 'bar' }, ...changing, button('invoice.close', close));
}

function tab(step) {
  const isHere = step === page.step;
  return control(
    'button',
    `tab.${step}`,
    {
      type: 'button',
      role: 'tab',
      'aria-selected': String(isHere),
      'aria-controls': 'panel',
      onclick: () => stepTo(step),
      nac: { state: isHere ? 'active' : 'idle' },
    },
    label(`tab.${step}`),
  );
}

function stepButton(key, by) {
  const isEnd = STEPS[STEPS.indexOf(page.step) + by] === undefined;
  return control('button', key, { type: 'button', disabled: isEnd, onclick: () => stepBy(by) }, label(key));
}

function panel() {
  const parts = { client: clientStep, lines: linesStep, conditions: conditionsStep };
  const attributes = { id: 'panel', role: 'tabpanel', 'aria-label': label(`tab.${page.step}`) };
  return element('div', attributes, parts[page.step]());
}

/** A text field: `change` is what it changes, as command and argument. */
function field(key, value, { values = {}, change, named = {}, tag = 'input' }) {
  const id = idOf(key, values);
  const text = page.typed.get(id)?.text ?? value;
  const handlers = {
    oninput: ({ target }) => type(id, { key, values, text: target.value, ...change }),
    onchange: sendTyped,
  };
  const isWrong = page.typed.get(id)?.isWrong === true;
  const nac = { 'field-type': tag === 'input' ? 'text' : 'textarea', state: isWrong ? 'invalid' : null };
  const more = { values, nac, disabled: !isEditable(), 'aria-invalid': isWrong ? 'true' : null, ...handlers, ...named };
  return tag === 'input'
    ? control('input', key, { type: 'text', autocomplete: 'off', value: text, ...more })
    : control('textarea', key, { rows: 3, ...more }, text);
}

function clientStep() {
  const fields = HEADER.map((name) => {
    const change = { command: 'update_invoice_header', argument: name, kind: name === 'date' ? 'date' : 'text' };
    return labelled(`field.${name}`, field(`field.${name}`, page.invoice[name], { change }));
  });
  return element('div', { class: 'fields', id: 'client-step' }, ...fields);
}

function linesStep() {
  const { lines } = page.invoice;
  const adding = isEditable() ? element('div', { class: 'bar' }, button('line.add', addLine)) : null;
  const table = lines.length === 0 ? shown('p', 'invoice.no_lines', {}, word('noLines')) : linesTable(lines);
  return element('div', { id: 'lines-step' }, adding, table);
}

function linesTable(lines) {
  const columns = {
    line: '',
    description: '',
    quantity: 'short',
    unit_price: 'price',
    discount: 'short',
    total: 'number',
    actions: '',
  };
  const head = Object.entries(columns).map(([name, kind]) =>
    element('th', { scope: 'col', class: kind || null }, word(name)),
  );
  return control(
    'table',
    'table.lines',
    { 'aria-label': label('table.lines'), class: 'lines' },
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...lines.map(lineRow)),
  );
}

function lineRow({ line, description, quantity, unit_price: price, discount_percent: discount, total, corrected }) {
  const values = { line };
  const cell = (name, value, kind) => {
    const key = `field.line_{line}_${name}`;
    const change = { command: 'update_invoice_line', argument: name, kind };
    return element('td', {}, field(key, value, { values, change, named: { 'aria-label': label(key, values) } }));
  };
  const described = cell('description', description, 'text');
  if (corrected) described.append(shown('span', 'line.corrected.{line}', { values, class: 'mark' }, word('corrected')));
  const actions = [
    button('line.correct.{line}', () => correct(line), { values, text: word('correct') }),
    button('line.remove.{line}', () => removeLine(line), { values, text: word('remove'), kind: 'grave' }),
  ];
  return element(
    'tr',
    { id: `row-line-${line}` },
    element('td', {}, String(line)),
    described,
    cell('quantity', String(quantity), 'number'),
    cell('unit_price', amount(price, page.language), 'number'),
    cell('discount_percent', String(discount), 'number'),
    shown('td', 'line.total.{line}', { values, class: 'number' }, amount(total, page.language)),
    element('td', { class: 'actions' }, ...(isEditable() ? actions : [])),
  );
}

function conditionsStep() {
  const { payment_method: chosen, observations } = page.invoice;
  const method = choice('field.payment_method', {
    options: METHODS.map((name) => [name, word(name)]),
    chosen,
    disabled: !isEditable(),
    onchange: ({ target }) => {
      const key = 'field.payment_method';
      type(idOf(key), {
        key,
        values: {},
        text: target.value,
        command: 'set_payment_terms',
        argument: 'payment_method',
        kind: 'text',
      });
      sendTyped();
    },
  });
  const change = { command: 'set_observations', argument: 'observations', kind: 'text' };
  const notes = field('field.observations', observations, { change, tag: 'textarea' });
  const wide = labelled('field.observations', notes);
  wide.className = 'wide';
  return element(
    'div',
    { class: 'fields', id: 'conditions-step' },
    labelled('field.payment_method', method),
    terms(),
    wide,
    isEditable() ? element('div', { class: 'wide' }, button('invoice.approve', approve)) : null,
  );
}

function terms() {
  const radios = TERMS.map((days) => {
    const key = `field.term_days.${days}`;
    const onchange = () => {
      type(idOf('field.term_days'), {
        key,
        values: {},
        text: String(days),
        command: 'set_payment_terms',
        argument: 'term_days',
        kind: 'number',
      });
      sendTyped();
    };
    const radio = control('input', key, {
      type: 'radio',
      name: 'term_days',
      value: days,
      disabled: !isEditable(),
      onchange,
      checked: page.invoice.term_days === days,
      nac: { 'field-type': 'radio', value: days },
    });
    return element('label', { for: radio.id }, radio, label(key));
  });
  const legend = element('legend', {}, label('field.term_days'));
  const nac = { 'field-type': 'radio', value: page.invoice.term_days };
  return control('fieldset', 'field.term_days', { nac }, legend, ...radios);
}
