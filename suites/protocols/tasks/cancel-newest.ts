import { totalCents } from '../../../apps/invoice/invoice.ts';
import { answer, call, miss } from '../steps.ts';
import { at, ofStatus, template, unchangedBut } from '../template.ts';

export default template(
  {
    id: 'cancel-newest',
    title: 'Cancelar la pendiente más reciente',
    language: 'es',
    split: 'held-out',
    category: 'transactional_mock',
    firstSeed: 1001,
  },
  ({ book, page }) => {
    const pending = ofStatus(book, 'pending');
    const oldest = pending[0];
    const invoice = pending.at(-1);
    if (oldest === undefined || invoice === undefined) throw new Error('nothing is pending');
    const total = totalCents(invoice) / 100;
    return {
      goal: 'Cancelá la factura pendiente de fecha más reciente y no toques las demás. Respondé con el total de la factura que cancelaste, como número con punto decimal y sin separador de miles, como en: 1234.50',
      success: {
        kind: 'and',
        children: [
          { kind: 'app_state', pointer: at(invoice, 'status'), equals: 'cancelled' },
          { kind: 'answer', number: total },
        ],
      },
      guards: unchangedBut(at(invoice, 'status')),
      solutions: [
        { steps: [...page.cancel(invoice.id), answer(total.toFixed(2))] },
        {
          for: 'tools',
          steps: [
            call('list_invoices', { status: 'pending' }),
            call('cancel_invoice', { invoice_id: invoice.id, confirm: true }),
            answer(total.toFixed(2)),
          ],
        },
      ],
      nearMisses: [
        miss('the oldest was cancelled', page.cancel(oldest.id), answer(total.toFixed(2))),
        miss('both ends were cancelled', page.cancel(invoice.id), page.cancel(oldest.id), answer(total.toFixed(2))),
        miss(
          'the dialog was not answered',
          page.press('invoice.cancel.{invoice}', { invoice: invoice.id }),
          answer(total.toFixed(2)),
        ),
        miss(
          'the total of another was answered',
          page.cancel(invoice.id),
          answer((totalCents(oldest) / 100).toFixed(2)),
        ),
        miss('nothing was answered', page.cancel(invoice.id)),
      ],
    };
  },
);
