import { PRODUCTS } from '../../../apps/invoice/catalogue.ts';
import { PAYMENT_METHODS, TERM_DAYS } from '../../../apps/invoice/invoice.ts';
import { billed, invoiceId } from '../../../apps/invoice/seed-book.ts';
import { call, miss } from '../steps.ts';
import { holds, inState, lineOf, template, two, unchangedBut } from '../template.ts';

const WORDS = { cash: 'Cash', transfer: 'Bank transfer', cheque: 'Cheque', credit: 'Credit card' };

export default template(
  {
    id: 'create-invoice',
    title: 'Create an invoice',
    language: 'en',
    split: 'held-out',
    category: 'long_horizon',
    firstSeed: 701,
  },
  ({ book, draws, page }) => {
    const [client, other] = two(draws, book.clients);
    const line = lineOf(draws, draws.one(PRODUCTS.en));
    const method = draws.one(PAYMENT_METHODS.filter((each) => each !== 'transfer'));
    const term = draws.one(TERM_DAYS.filter((each) => each !== 30));
    const id = invoiceId(book.invoices.length + 1);
    const toLines = page.press('tab.lines', {}, 'tab');
    const paying = [...page.tab('conditions'), page.choose('field.payment_method', WORDS[method]), page.term(term)];
    const { name } = client;
    const conditions = { payment_method: method, term_days: term, observations: '' };
    const invoice = { status: 'pending', ...billed(client), date: book.today, ...conditions };
    const fields = Object.entries(invoice).map(([field, value]) => [`/invoices/${id}/${field}`, value]);
    return {
      goal: `Create an invoice for ${name} with one line: "${line.description}", quantity ${line.quantity}, unit price ${line.unit_price.toFixed(2)}. Payment method: ${WORDS[method]}. Payment term: ${term} days. Leave everything else as it is proposed, and save the invoice.`,
      success: holds({ ...Object.fromEntries(fields), [`/invoices/${id}/lines`]: { '1': inState(line) } }),
      guards: unchangedBut(`/invoices/${id}`),
      solutions: [
        { steps: [...page.create(name, id), toLines, ...page.addLine(1, line), ...paying, ...page.save(id)] },
        {
          for: 'tools',
          steps: [
            call('list_clients', {}),
            call('create_invoice', { client_id: client.id }),
            call('add_invoice_line', { invoice_id: id, ...line }),
            call('set_payment_terms', { invoice_id: id, payment_method: method, term_days: term }),
            call('save_invoice', { invoice_id: id }),
          ],
        },
      ],
      nearMisses: [
        miss('it was not saved', page.create(name, id), toLines, page.addLine(1, line), paying),
        miss(
          'it is for another client',
          page.create(other.name, id),
          toLines,
          page.addLine(1, line),
          paying,
          page.save(id),
        ),
        miss(
          'the quantity is one too many',
          page.create(name, id),
          toLines,
          page.addLine(1, { ...line, quantity: line.quantity + 1 }),
          paying,
          page.save(id),
        ),
        miss(
          'the conditions stayed as they were proposed',
          page.create(name, id),
          toLines,
          page.addLine(1, line),
          page.save(id),
        ),
      ],
    };
  },
);
