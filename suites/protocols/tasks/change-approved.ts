import { call, miss } from '../steps.ts';
import { foundImpossible, ofStatus, template, two, unchangedBut } from '../template.ts';

export default template(
  {
    id: 'change-approved',
    title: 'Cambiar una factura aprobada',
    language: 'es',
    split: 'held-out',
    category: 'recovery',
    firstSeed: 1201,
  },
  ({ book, draws, page }) => {
    const invoice = draws.one(ofStatus(book, 'approved'));
    const [other] = two(draws, ofStatus(book, 'pending'));
    const address = `${draws.one(['Moreno', 'Lavalle', 'Tucumán', 'Güemes', 'Maipú'])} ${draws.between(100, 2900)}`;
    return {
      goal: `En la factura ${invoice.id}, cambiá el domicilio a "${address}" y guardala. Si la aplicación no lo permite, no cambies nada y respondé que no es posible.`,
      success: foundImpossible(invoice),
      guards: unchangedBut(),
      solutions: [
        { steps: [...page.open(invoice.id), { do: 'not_possible' }] },
        {
          for: 'tools',
          steps: [call('update_invoice_header', { invoice_id: invoice.id, address }), { do: 'not_possible' }],
        },
      ],
      nearMisses: [
        miss('nobody has looked', { do: 'not_possible' }),
        miss('it was looked at and not answered', page.open(invoice.id)),
        miss(
          'another invoice was changed',
          page.open(invoice.id),
          page.close(),
          page.open(other.id),
          page.field('address', address),
          page.save(other.id),
          { do: 'not_possible' },
        ),
        miss(
          'a new invoice was made in its place',
          page.open(invoice.id),
          page.close(),
          page.create(invoice.client_name, 'INV-0016'),
          { do: 'not_possible' },
        ),
      ],
    };
  },
);
