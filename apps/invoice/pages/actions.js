import { command, Refusal } from './api.js';
import { confirmed, failed, succeeded } from './nac.js';
import { numberIn } from './numbers.js';
import { draw, label, page, word } from './page.js';

const STEPS = ['client', 'lines', 'conditions'];

/** What the page itself refuses: a field that holds no number or no date, or an invoice for nobody. */
class Unfit extends Error {
  constructor(code, values = {}) {
    super(code);
    this.code = code;
    this.values = values;
  }
}

let running = Promise.resolve();

/** One thing after the other, in the order in which they were asked for. */
export function inTurn(work) {
  const done = running.then(work);
  running = done.catch(() => {});
  return done;
}

/** Sends what was typed, does it, draws the page, and then says what came of it. */
function act(key, values, work, tell = () => succeeded(key, values)) {
  return inTurn(async () => {
    try {
      const fields = key === 'invoice.discard' ? [] : await send();
      page.message = { text: '', isError: false };
      await work();
      draw();
      for (const [field, fieldValues, value] of fields) succeeded(field, fieldValues, { value });
      tell();
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof Unfit)) throw error;
      page.message = { text: word(`error_${error.code}`, error.values), isError: true };
      draw();
      failed(key, values, error.code);
    }
  });
}

function say(name, values) {
  page.message = { text: word(name, values), isError: false };
}

/** Notes what stands in a field and was not sent yet. */
export function type(id, entry) {
  page.typed.set(id, entry);
}

/** Sends what was typed, when a field is left. */
export function sendTyped() {
  const [entry] = page.typed.values();
  if (entry !== undefined)
    void act(
      entry.key,
      entry.values,
      async () => {},
      () => {},
    );
}

async function send() {
  const sent = [];
  for (const [id, entry] of page.typed) {
    const { key, values, text, command: name, argument } = entry;
    const value = valueOf(entry);
    try {
      const line = values.line === undefined ? {} : { line: values.line };
      page.invoice = await command(name, { invoice_id: page.invoice.invoice_id, ...line, [argument]: value });
    } catch (error) {
      // What the server does not take is not kept for a second try.
      page.typed.delete(id);
      throw error;
    }
    // It may have been typed into again meanwhile.
    if (page.typed.get(id) === entry) page.typed.delete(id);
    sent.push([key, values, text]);
  }
  return sent;
}

/** What was typed, as its command takes it. */
function valueOf(entry) {
  const { kind, text, key, values } = entry;
  if (kind === 'text') return text;
  const value = kind === 'number' ? numberIn(text) : /^\d{4}-\d{2}-\d{2}$/.exec(text.trim())?.[0];
  if (value !== null && value !== undefined) return value;
  entry.isWrong = true;
  throw new Unfit(`bad_${kind}`, { label: label(key, values) });
}

async function loadList() {
  page.invoices = (await command('list_invoices')).invoices;
}

/** Shows what is on the server now, after something else than this page's buttons has changed it. */
export async function reload() {
  page.clients = (await command('list_clients')).clients;
  await loadList();
  if (page.invoice !== null) page.invoice = await command('get_invoice', { invoice_id: page.invoice.invoice_id });
  draw();
}

/** Shows the invoice that the address names, or the list. */
export function start(invoice) {
  return inTurn(async () => {
    const isThere =
      invoice !== null && (await command('list_invoices')).invoices.some(({ invoice_id: id }) => id === invoice);
    if (isThere) page.invoice = await command('get_invoice', { invoice_id: invoice });
    await reload();
  });
}

export function switchLanguage(language) {
  return act(
    'field.language',
    {},
    async () => {
      page.language = language;
    },
    () => succeeded('field.language', {}, { value: language }),
  );
}

export function filterBy(status) {
  return act(
    'filter.status',
    {},
    async () => {
      page.filter = status;
    },
    () => succeeded('filter.status', {}, { value: status }),
  );
}

export function create() {
  return act('invoice.create', {}, async () => {
    if (page.newClient === '') throw new Unfit('no_client');
    page.invoice = await command('create_invoice', { client_id: page.newClient });
    page.newClient = '';
    page.step = 'client';
    say('did_create', { invoice: page.invoice.invoice_id });
  });
}

export function open(invoice) {
  return act('invoice.open.{invoice}', { invoice }, async () => {
    page.invoice = await command('get_invoice', { invoice_id: invoice });
    page.step = 'client';
  });
}

export function close() {
  return act('invoice.close', {}, async () => {
    await loadList();
    page.invoice = null;
  });
}

export function stepTo(step) {
  return act(`tab.${step}`, {}, async () => {
    page.step = step;
  });
}

export function stepBy(by) {
  const key = by < 0 ? 'step.previous' : 'step.next';
  return act(key, {}, async () => {
    page.step = STEPS[STEPS.indexOf(page.step) + by] ?? page.step;
  });
}

export function save() {
  return onInvoice('invoice.save', 'save_invoice', 'did_save');
}

export function approve() {
  return onInvoice('invoice.approve', 'approve_invoice', 'did_approve');
}

export function discard() {
  page.typed.clear();
  return onInvoice('invoice.discard', 'discard_changes', 'did_discard');
}

function onInvoice(key, name, done) {
  return act(key, {}, async () => {
    const { invoice_id } = page.invoice;
    page.invoice = await command(name, { invoice_id });
    say(done, { invoice: invoice_id });
  });
}

export function addLine() {
  return act('line.add', {}, async () => {
    page.invoice = await command('add_invoice_line', { invoice_id: page.invoice.invoice_id });
    say('did_add', { line: page.invoice.lines.at(-1).line });
  });
}

export function removeLine(line) {
  return act('line.remove.{line}', { line }, async () => {
    page.invoice = await command('remove_invoice_line', { invoice_id: page.invoice.invoice_id, line });
    say('did_remove', { line });
  });
}

export function correct(line) {
  return act('line.correct.{line}', { line }, async () => {
    const textOf = () => page.invoice.lines.find((each) => each.line === line)?.description;
    const before = textOf();
    page.invoice = await command('correct_grammar', { invoice_id: page.invoice.invoice_id, line });
    say(textOf() === before ? 'did_not_correct' : 'did_correct', { line });
  });
}

export function cancel(invoice) {
  return act('invoice.cancel.{invoice}', { invoice }, async () => {
    page.confirming = page.invoices.find(({ invoice_id: id }) => id === invoice);
  });
}

export function answerCancel(isYes) {
  const key = isYes ? 'confirm.yes' : 'confirm.no';
  return act(
    key,
    {},
    async () => {
      const { invoice_id } = page.confirming;
      page.confirming = null;
      if (!isYes) return;
      await command('cancel_invoice', { invoice_id, confirm: true });
      await loadList();
      say('did_cancel', { invoice: invoice_id });
    },
    () => confirmed(key, isYes),
  );
}
