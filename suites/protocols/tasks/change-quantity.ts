import { call, miss } from '../steps.ts';
import { atLine, holds, ofStatus, template, two, unchangedBut } from '../template.ts';

export default template(
  {
    id: 'change-quantity',
    title: 'Change a quantity',
    language: 'en',
    split: 'development',
    category: 'form_fill',
    firstSeed: 201,
  },
  ({ book, draws, page }) => {
    const [invoice, other] = two(draws, ofStatus(book, 'pending'));
    const [line, neighbour] = two(draws, invoice.lines);
    const quantity = draws.between(13, 60);
    const toLines = [...page.open(invoice.id), ...page.tab('lines')];
    const changed = page.lineField(line.number, 'quantity', quantity);
    return {
      goal: `On invoice ${invoice.id}, change the quantity of "${line.description}" to ${quantity}, and save the invoice. Change nothing else.`,
      success: holds({ [atLine(invoice, line, 'quantity')]: quantity }),
      guards: unchangedBut(atLine(invoice, line, 'quantity')),
      solutions: [
        { steps: [...toLines, changed, ...page.save(invoice.id)] },
        {
          for: 'tools',
          steps: [
            call('get_invoice', { invoice_id: invoice.id }),
            call('update_invoice_line', { invoice_id: invoice.id, line: line.number, quantity }),
            call('save_invoice', { invoice_id: invoice.id }),
          ],
        },
      ],
      nearMisses: [
        miss('it was not saved', toLines, changed),
        miss(
          'the neighbour was changed',
          toLines,
          page.lineField(neighbour.number, 'quantity', quantity),
          page.save(invoice.id),
        ),
        miss(
          'the price was changed in its place',
          toLines,
          page.lineField(line.number, 'unit_price', quantity),
          page.save(invoice.id),
        ),
        miss(
          'every line was changed',
          toLines,
          invoice.lines.map(({ number }) => page.lineField(number, 'quantity', quantity)),
          page.save(invoice.id),
        ),
        miss(
          'a line of another invoice was changed',
          page.open(other.id),
          page.tab('lines'),
          page.lineField(1, 'quantity', quantity),
          page.save(other.id),
        ),
      ],
    };
  },
);
