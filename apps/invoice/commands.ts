import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { CommandError } from './command-error.ts';
import { corrected } from './grammar.ts';
import { type Book, type Invoice, nextLineNumber, PAYMENT_METHODS, STATUSES, TERM_DAYS } from './invoice.ts';
import { billed, invoiceId } from './seed-book.ts';
import { summaryOf, viewOf } from './view.ts';

/** How long the correction takes, in ms: it is a service that answers later. */
const CORRECTION_MS = 150;

/** Something that one can do here. The page, the MCP server and the page's own tools all do it by this one code. */
export interface Command {
  description: string;
  args: z.ZodObject;
  run(book: Book, args: unknown): unknown;
}

function command<Args extends z.ZodObject>(
  description: string,
  args: Args,
  run: (book: Book, args: z.output<Args>) => unknown,
): Command {
  return {
    description,
    args,
    run: (book, given) => {
      const parsed = args.safeParse(given);
      if (parsed.success) return run(book, parsed.data);
      const why = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
      throw new CommandError('bad_arguments', why.join('; '), 'see the schema of the arguments');
    },
  };
}

const InvoiceId = z.string().describe('The id of the invoice, as list_invoices gives it');
const LineNumber = z.int().describe('The number of the line, as get_invoice gives it');
const Text = z.string().trim().max(500);
const IsoDate = z.iso.date().describe('As YYYY-MM-DD');
const Price = z
  .number()
  .min(0)
  .max(9_999_999)
  .refine((price) => Math.abs(price * 100 - Math.round(price * 100)) < 1e-6, 'has more than two decimals');
const LineFields = {
  description: Text.optional(),
  quantity: z.int().min(1).max(9_999).optional(),
  unit_price: Price.optional(),
  discount_percent: z.int().min(0).max(100).optional(),
};
const OfInvoice = z.strictObject({ invoice_id: InvoiceId });
const OfLine = OfInvoice.extend({ line: LineNumber });

const KEPT = 'The change is kept as a draft until save_invoice.';

export const COMMANDS: Record<string, Command> = {
  list_invoices: command(
    'Lists the invoices, of one status or all: id, client, date, status, total, and whether there are unsaved changes.',
    z.strictObject({ status: z.enum(STATUSES).optional() }),
    ({ invoices, drafts }, { status }) => ({
      invoices: invoices
        .filter((invoice) => status === undefined || invoice.status === status)
        .map((invoice) => summaryOf(invoice, drafts.has(invoice.id))),
    }),
  ),
  list_clients: command('Lists the clients: id, name, tax id, address, email, phone.', z.strictObject({}), (book) => ({
    clients: book.clients,
  })),
  get_invoice: command(
    'Shows one invoice with its lines and conditions; unsaved changes are in it.',
    OfInvoice,
    (book, { invoice_id }) => shown(book, invoice_id),
  ),
  create_invoice: command(
    'Creates a pending invoice for a client, dated today, without lines, with the particulars that are known of the client.',
    z.strictObject({ client_id: z.string().describe('The id of the client, as list_clients gives it') }),
    create,
  ),
  update_invoice_header: command(
    `Changes what the invoice says of its client, or its date. Only of a pending invoice. ${KEPT}`,
    OfInvoice.extend({
      client_name: Text.min(1).optional(),
      tax_id: Text.optional(),
      address: Text.optional(),
      email: Text.optional(),
      phone: Text.optional(),
      date: IsoDate.optional(),
    }),
    (book, { invoice_id, ...fields }) => change(book, invoice_id, (draft) => Object.assign(draft, given(fields))),
  ),
  add_invoice_line: command(
    `Adds a line at the end: quantity 1, price 0 and no discount unless they are given. Only to a pending invoice. ${KEPT}`,
    OfInvoice.extend(LineFields),
    (book, { invoice_id, ...fields }) =>
      change(book, invoice_id, ({ lines }) => {
        const blank = { description: '', quantity: 1, unit_price_cents: 0, discount_percent: 0, corrected: false };
        lines.push({ number: nextLineNumber(lines), ...blank, ...inCents(fields) });
      }),
  ),
  update_invoice_line: command(
    `Changes a line. Only of a pending invoice. ${KEPT}`,
    OfLine.extend(LineFields),
    (book, { invoice_id, line, ...fields }) =>
      change(book, invoice_id, (draft) => {
        const found = lineOf(draft, line);
        const isRetyped = fields.description !== undefined && fields.description !== found.description;
        Object.assign(found, inCents(fields), isRetyped ? { corrected: false } : {});
      }),
  ),
  remove_invoice_line: command(
    `Removes a line; the others keep their numbers. Only of a pending invoice. ${KEPT}`,
    OfLine,
    (book, { invoice_id, line }) =>
      change(book, invoice_id, (draft) => draft.lines.splice(draft.lines.indexOf(lineOf(draft, line)), 1)),
  ),
  correct_grammar: command(
    `Has the description of a line corrected automatically. Only of a pending invoice. ${KEPT}`,
    OfLine,
    correct,
  ),
  set_payment_terms: command(
    `Sets how and in how many days the invoice is to be paid. Only of a pending invoice. ${KEPT}`,
    OfInvoice.extend({
      payment_method: z.enum(PAYMENT_METHODS).optional(),
      term_days: z.literal(TERM_DAYS).optional(),
    }),
    (book, { invoice_id, ...fields }) => change(book, invoice_id, (draft) => Object.assign(draft, given(fields))),
  ),
  set_observations: command(
    `Sets the observations. Only of a pending invoice. ${KEPT}`,
    OfInvoice.extend({ observations: Text }),
    (book, { invoice_id, observations }) => change(book, invoice_id, (draft) => Object.assign(draft, { observations })),
  ),
  save_invoice: command('Saves the unsaved changes of an invoice.', OfInvoice, save),
  discard_changes: command('Drops the unsaved changes of an invoice.', OfInvoice, (book, { invoice_id }) => {
    invoiceOf(book, invoice_id);
    book.drafts.delete(invoice_id);
    return shown(book, invoice_id);
  }),
  approve_invoice: command(
    'Approves a pending invoice without unsaved changes. It cannot be changed or cancelled afterwards.',
    OfInvoice,
    (book, { invoice_id }) => {
      settled(book, invoice_id).status = 'approved';
      return shown(book, invoice_id);
    },
  ),
  cancel_invoice: command(
    'Cancels a pending invoice without unsaved changes. It cannot be undone, and so asks for "confirm": true.',
    OfInvoice.extend({ confirm: z.boolean().default(false) }),
    (book, { invoice_id, confirm }) => {
      const invoice = settled(book, invoice_id);
      if (!confirm) {
        throw new CommandError(
          'needs_confirmation',
          `${invoice_id} is not cancelled yet`,
          'call again with "confirm": true',
        );
      }
      invoice.status = 'cancelled';
      return shown(book, invoice_id);
    },
  ),
};

function create(book: Book, { client_id }: { client_id: string }) {
  const client = book.clients.find(({ id }) => id === client_id);
  if (client === undefined) {
    throw new CommandError('unknown_client', `there is no client ${client_id}`, 'list_clients shows which there are');
  }
  const id = invoiceId(book.invoices.length + 1);
  book.invoices.push({
    id,
    status: 'pending',
    ...billed(client),
    date: book.today,
    lines: [],
    payment_method: 'transfer',
    term_days: 30,
    observations: '',
  });
  return shown(book, id);
}

async function correct(book: Book, { invoice_id, line }: { invoice_id: string; line: number }) {
  lineOf(editable(book, invoice_id), line);
  await new Promise((resolve) => setTimeout(resolve, CORRECTION_MS));
  return change(book, invoice_id, (draft) => {
    const found = lineOf(draft, line);
    const right = corrected(found.description);
    if (right !== found.description) Object.assign(found, { description: right, corrected: true });
  });
}

/** New lines are numbered anew, so that a line that came and went leaves no gap. */
function save(book: Book, { invoice_id }: { invoice_id: string }) {
  const saved = invoiceOf(book, invoice_id);
  const draft = book.drafts.get(invoice_id);
  if (draft === undefined) return shown(book, invoice_id);
  const empty = draft.lines.find(({ description }) => description === '');
  if (empty !== undefined) {
    const message = `line ${empty.number} of ${invoice_id} has no description`;
    throw new CommandError('empty_description', message, 'describe or remove it');
  }
  const known = new Set(saved.lines.map(({ number }) => number));
  const first = nextLineNumber(saved.lines);
  const kept = draft.lines.filter(({ number }) => known.has(number));
  const added = draft.lines.filter(({ number }) => !known.has(number));
  const lines = [...kept, ...added.map((line, index) => ({ ...line, number: first + index }))];
  Object.assign(saved, draft, { lines });
  book.drafts.delete(invoice_id);
  return shown(book, invoice_id);
}

/** Applies a change to the draft; a draft that says what is saved is none. */
function change(book: Book, id: string, apply: (draft: Invoice) => unknown) {
  const draft = structuredClone(editable(book, id));
  apply(draft);
  if (isDeepStrictEqual(draft, invoiceOf(book, id))) book.drafts.delete(id);
  else book.drafts.set(id, draft);
  return shown(book, id);
}

function shown(book: Book, id: string) {
  return viewOf(book.drafts.get(id) ?? invoiceOf(book, id), book.drafts.has(id));
}

function invoiceOf({ invoices }: Book, id: string): Invoice {
  const found = invoices.find((invoice) => invoice.id === id);
  if (found !== undefined) return found;
  throw new CommandError('unknown_invoice', `there is no invoice ${id}`, 'list_invoices shows which there are');
}

/** The invoice as it may be changed: its draft, if there is one. */
function editable(book: Book, id: string): Invoice {
  return book.drafts.get(id) ?? pending(book, id);
}

function pending(book: Book, id: string): Invoice {
  const invoice = invoiceOf(book, id);
  if (invoice.status === 'pending') return invoice;
  throw new CommandError('not_pending', `${id} is ${invoice.status}`, 'only pending invoices can be changed');
}

/** The invoice as its status may be changed: with nothing unsaved. */
function settled(book: Book, id: string): Invoice {
  const invoice = pending(book, id);
  if (!book.drafts.has(id)) return invoice;
  throw new CommandError('unsaved_changes', `${id} has unsaved changes`, 'save or discard them first');
}

function lineOf({ id, lines }: Invoice, number: number) {
  const found = lines.find((line) => line.number === number);
  if (found !== undefined) return found;
  throw new CommandError('unknown_line', `${id} has no line ${number}`, 'get_invoice shows which there are');
}

interface LineArgs {
  description?: string | undefined;
  quantity?: number | undefined;
  unit_price?: number | undefined;
  discount_percent?: number | undefined;
}

function inCents({ unit_price, ...fields }: LineArgs) {
  return { ...given(fields), ...(unit_price === undefined ? {} : { unit_price_cents: Math.round(unit_price * 100) }) };
}

/** Without what was not given: that stays as it is. */
function given<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
function given(fields: object) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
