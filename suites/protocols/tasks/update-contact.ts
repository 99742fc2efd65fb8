import { call, miss } from '../steps.ts';
import { at, holds, ofStatus, template, two, unchangedBut } from '../template.ts';

export default template(
  {
    id: 'update-contact',
    title: 'Cambiar los datos de contacto',
    language: 'es',
    split: 'development',
    category: 'form_fill',
    firstSeed: 401,
  },
  ({ book, draws, page }) => {
    const [invoice, other] = two(draws, ofStatus(book, 'pending'));
    const email = `${draws.one(['pagos', 'compras', 'tesoreria', 'facturas'])}${draws.between(10, 99)}@correo.example`;
    const phone = `+54 11 5${draws.between(100, 999)}-${draws.between(1000, 9999)}`;
    const typed = [page.field('email', email), page.field('phone', phone)];
    return {
      goal: `En la factura ${invoice.id}, cambiá el correo electrónico a ${email} y el teléfono a ${phone}. Guardá la factura y no cambies nada más.`,
      success: holds({ [at(invoice, 'email')]: email, [at(invoice, 'phone')]: phone }),
      guards: unchangedBut(at(invoice, 'email'), at(invoice, 'phone')),
      solutions: [
        { steps: [...page.open(invoice.id), ...typed, ...page.save(invoice.id)] },
        {
          for: 'tools',
          steps: [
            call('update_invoice_header', { invoice_id: invoice.id, email, phone }),
            call('save_invoice', { invoice_id: invoice.id }),
          ],
        },
      ],
      nearMisses: [
        miss('it was not saved', page.open(invoice.id), typed),
        miss(
          'the telephone stayed as it was',
          page.open(invoice.id),
          page.field('email', email),
          page.save(invoice.id),
        ),
        miss(
          'the two were mixed up',
          page.open(invoice.id),
          page.field('email', phone),
          page.field('phone', email),
          page.save(invoice.id),
        ),
        miss(
          'the address was changed, too',
          page.open(invoice.id),
          typed,
          page.field('address', email),
          page.save(invoice.id),
        ),
        miss('another invoice was changed', page.open(other.id), typed, page.save(other.id)),
      ],
    };
  },
);
