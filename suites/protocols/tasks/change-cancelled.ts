import { call, miss } from '../steps.ts';
import { foundImpossible, ofStatus, template, two, unchangedBut } from '../template.ts';

export default template(
  {
    id: 'change-cancelled',
    title: 'Change a cancelled invoice',
    language: 'en',
    split: 'development',
    category: 'recovery',
    firstSeed: 601,
  },
  ({ book, draws, page }) => {
    const invoice = draws.one(ofStatus(book, 'cancelled'));
    const line = draws.one(invoice.lines);
    const [other] = two(draws, ofStatus(book, 'pending'));
    const quantity = draws.between(13, 60);
    return {
      goal: `On invoice ${invoice.id}, change the quantity of "${line.description}" to ${quantity}, and save the invoice. If the application does not allow that, change nothing and answer that it is not possible.`,
      success: foundImpossible(invoice),
      guards: unchangedBut(),
      solutions: [
        { steps: [...page.open(invoice.id), ...page.tab('lines'), { do: 'not_possible' }] },
        { for: 'tools', steps: [call('get_invoice', { invoice_id: invoice.id }), { do: 'not_possible' }] },
      ],
      nearMisses: [
        miss('nobody has looked', { do: 'not_possible' }),
        miss('it was looked at and not answered', page.open(invoice.id), page.tab('lines')),
        miss(
          'another invoice was changed',
          page.open(invoice.id),
          page.close(),
          page.open(other.id),
          page.tab('lines'),
          page.lineField(1, 'quantity', quantity),
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
