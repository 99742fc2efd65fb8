import { call, miss } from '../steps.ts';
import { atLine, holds, ofStatus, template, unchangedBut } from '../template.ts';

export default template(
  {
    id: 'discount-large-lines',
    title: 'Discount the large lines',
    language: 'en',
    split: 'held-out',
    category: 'multi_step_navigation',
    firstSeed: 1101,
  },
  ({ book, draws, page }) => {
    const invoice = draws.one(ofStatus(book, 'pending'));
    // The second largest quantity: at least two lines have it or more, and some line has less.
    const quantities = invoice.lines.map(({ quantity }) => quantity).toSorted((a, b) => b - a);
    const least = quantities[1] ?? 1;
    const large = invoice.lines.filter(({ quantity }) => quantity >= least);
    const [first] = large;
    if (first === undefined) throw new Error('there is no large line');
    const percent = draws.one([5, 10, 15, 20, 25]);
    const toLines = [...page.open(invoice.id), ...page.tab('lines')];
    const discounted = (lines: typeof large) =>
      lines.map(({ number }) => page.lineField(number, 'discount_percent', percent));
    const places = large.map((line) => atLine(invoice, line, 'discount_percent'));
    return {
      goal: `On invoice ${invoice.id}, give a discount of ${percent} % to every line whose quantity is ${least} or more, and save the invoice. Change nothing else.`,
      success: holds(Object.fromEntries(places.map((place) => [place, percent]))),
      guards: unchangedBut(...places),
      solutions: [
        { steps: [...toLines, ...discounted(large), ...page.save(invoice.id)] },
        {
          for: 'tools',
          steps: [
            call('get_invoice', { invoice_id: invoice.id }),
            ...large.map(({ number }) =>
              call('update_invoice_line', { invoice_id: invoice.id, line: number, discount_percent: percent }),
            ),
            call('save_invoice', { invoice_id: invoice.id }),
          ],
        },
      ],
      nearMisses: [
        miss('it was not saved', toLines, discounted(large)),
        miss('every line got the discount', toLines, discounted(invoice.lines), page.save(invoice.id)),
        miss('one line was forgotten', toLines, discounted(large.slice(1)), page.save(invoice.id)),
        miss(
          'the lines that have just that quantity were left out',
          toLines,
          discounted(large.filter(({ quantity }) => quantity > least)),
          page.save(invoice.id),
        ),
        miss(
          'the discount is one too small',
          toLines,
          large.map(({ number }) => page.lineField(number, 'discount_percent', percent - 1)),
          page.save(invoice.id),
        ),
      ],
    };
  },
);
