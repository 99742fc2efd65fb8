import { PAYMENT_METHODS, TERM_DAYS, totalCents } from '../../../apps/invoice/invoice.ts';
import { call, miss } from '../steps.ts';
import { at, holds, ofStatus, template, unchangedBut } from '../template.ts';

const WORDS = { cash: 'Contado', transfer: 'Transferencia', cheque: 'Cheque', credit: 'Tarjeta de crédito' };

export default template(
  {
    id: 'pay-largest',
    title: 'Condiciones de la factura mayor',
    language: 'es',
    split: 'development',
    category: 'multi_step_navigation',
    firstSeed: 501,
  },
  ({ book, draws, page }) => {
    const [invoice, second] = ofStatus(book, 'pending').toSorted((a, b) => totalCents(b) - totalCents(a));
    if (invoice === undefined || second === undefined) throw new Error('there are no two pending invoices');
    const method = draws.one(PAYMENT_METHODS.filter((each) => each !== invoice.payment_method));
    const term = draws.one(TERM_DAYS.filter((each) => each !== invoice.term_days));
    const observations = `Acordado con ${draws.one(['Julia', 'Martín', 'Renata', 'Tomás', 'Lucía'])}, expediente ${draws.between(100, 999)}`;
    const toConditions = (id: string) => [...page.open(id), ...page.tab('conditions')];
    const paying = [page.choose('field.payment_method', WORDS[method]), page.term(term)];
    const noting = page.field('observations', observations);
    return {
      goal: `En la factura pendiente de mayor total, poné como forma de pago "${WORDS[method]}", como plazo ${term} días y como observaciones "${observations}". Guardá la factura y no cambies nada más.`,
      success: holds({
        [at(invoice, 'payment_method')]: method,
        [at(invoice, 'term_days')]: term,
        [at(invoice, 'observations')]: observations,
      }),
      guards: unchangedBut(at(invoice, 'payment_method'), at(invoice, 'term_days'), at(invoice, 'observations')),
      solutions: [
        { steps: [...toConditions(invoice.id), ...paying, noting, ...page.save(invoice.id)] },
        {
          for: 'tools',
          steps: [
            call('list_invoices', { status: 'pending' }),
            call('set_payment_terms', { invoice_id: invoice.id, payment_method: method, term_days: term }),
            call('set_observations', { invoice_id: invoice.id, observations }),
            call('save_invoice', { invoice_id: invoice.id }),
          ],
        },
      ],
      nearMisses: [
        miss('it was not saved', toConditions(invoice.id), paying, noting),
        miss('it is the second largest', toConditions(second.id), paying, noting, page.save(second.id)),
        miss('nothing was noted', toConditions(invoice.id), paying, page.save(invoice.id)),
        miss(
          'the term stayed as it was',
          toConditions(invoice.id),
          page.choose('field.payment_method', WORDS[method]),
          noting,
          page.save(invoice.id),
        ),
      ],
    };
  },
);
