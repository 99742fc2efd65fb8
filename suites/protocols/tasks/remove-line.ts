import { call, miss } from '../steps.ts';
import { at, ofStatus, template, two, unchangedBut } from '../template.ts';

export default template(
  {
    id: 'remove-line',
    title: 'Remove a line',
    language: 'en',
    split: 'held-out',
    category: 'form_fill',
    firstSeed: 901,
  },
  ({ book, draws, page }) => {
    const [invoice] = two(draws, ofStatus(book, 'pending'));
    const [line, neighbour] = two(draws, invoice.lines);
    const toLines = [...page.open(invoice.id), ...page.tab('lines')];
    return {
      goal: `Remove the line "${line.description}" from the pending invoice of ${invoice.date}, and save the invoice. Change nothing else.`,
      success: { kind: 'app_state', pointer: at(invoice, 'lines', line.number), absent: true },
      guards: unchangedBut(at(invoice, 'lines', line.number)),
      solutions: [
        { steps: [...toLines, ...page.removeLine(line.number), ...page.save(invoice.id)] },
        {
          for: 'tools',
          steps: [
            call('list_invoices', { status: 'pending' }),
            call('get_invoice', { invoice_id: invoice.id }),
            call('remove_invoice_line', { invoice_id: invoice.id, line: line.number }),
            call('save_invoice', { invoice_id: invoice.id }),
          ],
        },
      ],
      nearMisses: [
        miss('it was not saved', toLines, page.removeLine(line.number)),
        miss('the neighbour was removed', toLines, page.removeLine(neighbour.number), page.save(invoice.id)),
        miss(
          'both were removed',
          toLines,
          page.removeLine(line.number),
          page.removeLine(neighbour.number),
          page.save(invoice.id),
        ),
        miss(
          'its quantity was made one in place of removing it',
          toLines,
          page.lineField(line.number, 'quantity', line.quantity === 1 ? 2 : 1),
          page.save(invoice.id),
        ),
        miss(
          'it was removed and the changes were discarded',
          toLines,
          page.removeLine(line.number),
          page.press('invoice.discard'),
        ),
      ],
    };
  },
);
