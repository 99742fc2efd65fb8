import { call, miss } from '../steps.ts';
import { at, holds, ofStatus, template, two, unchangedBut } from '../template.ts';

export default template(
  {
    id: 'cancel-by-client',
    title: 'Cancel the invoice of a client',
    language: 'en',
    split: 'development',
    category: 'transactional_mock',
    firstSeed: 301,
  },
  ({ book, draws, page }) => {
    const pending = ofStatus(book, 'pending');
    const alone = pending.filter(
      ({ client_id: id }) => pending.filter(({ client_id: each }) => each === id).length === 1,
    );
    const [invoice] = draws.shuffled(alone);
    if (invoice === undefined) throw new Error('no client has one pending invoice only');
    const [other] = two(
      draws,
      pending.filter(({ id }) => id !== invoice.id),
    );
    return {
      goal: `Cancel the pending invoice of ${invoice.client_name}. Leave all other invoices as they are.`,
      success: holds({ [at(invoice, 'status')]: 'cancelled' }),
      guards: unchangedBut(at(invoice, 'status')),
      solutions: [
        { steps: page.cancel(invoice.id) },
        {
          for: 'tools',
          steps: [
            call('list_invoices', { status: 'pending' }),
            call('cancel_invoice', { invoice_id: invoice.id, confirm: true }),
          ],
        },
      ],
      nearMisses: [
        miss('the dialog was not answered', page.press('invoice.cancel.{invoice}', { invoice: invoice.id })),
        miss(
          'the dialog was answered with no',
          page.press('invoice.cancel.{invoice}', { invoice: invoice.id }),
          page.press('confirm.no', { invoice: invoice.id }),
        ),
        miss('another client’s invoice was cancelled', page.cancel(other.id)),
        miss('another one was cancelled, too', page.cancel(invoice.id), page.cancel(other.id)),
      ],
    };
  },
);
