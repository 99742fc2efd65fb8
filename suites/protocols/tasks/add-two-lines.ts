import { PRODUCTS } from '../../../apps/invoice/catalogue.ts';
import { nextLineNumber } from '../../../apps/invoice/invoice.ts';
import { call, miss, type TypedLine } from '../steps.ts';
import { at, holds, inState, lineOf, ofStatus, template, two, unchangedBut } from '../template.ts';

export default template(
  {
    id: 'add-two-lines',
    title: 'Agregar dos líneas',
    language: 'es',
    split: 'development',
    category: 'form_fill',
    firstSeed: 101,
  },
  ({ book, draws, page }) => {
    const [invoice, other] = two(draws, ofStatus(book, 'pending'));
    const known = new Set(invoice.lines.map(({ description }) => description));
    const [one, more] = two(
      draws,
      PRODUCTS.es.filter(([description]) => !known.has(description)),
    );
    const [a, b] = [lineOf(draws, one), lineOf(draws, more)];
    const first = nextLineNumber(invoice.lines);
    const told = [a, b].map(inWords).join('; y después ');
    const [firstPlace, secondPlace] = [at(invoice, 'lines', first), at(invoice, 'lines', first + 1)];
    const toLines = [...page.open(invoice.id), ...page.tab('lines')];
    const both = [...page.addLine(first, a), ...page.addLine(first + 1, b)];
    const wrong = nextLineNumber(other.lines);
    return {
      goal: `Agregá dos líneas a la factura ${invoice.id}, en este orden: ${told}. Guardá la factura y no cambies nada más.`,
      success: holds({ [firstPlace]: inState(a), [secondPlace]: inState(b) }),
      guards: unchangedBut(firstPlace, secondPlace),
      solutions: [
        { steps: [...toLines, ...both, ...page.save(invoice.id)] },
        {
          for: 'tools',
          steps: [
            call('add_invoice_line', { invoice_id: invoice.id, ...a }),
            call('add_invoice_line', { invoice_id: invoice.id, ...b }),
            call('save_invoice', { invoice_id: invoice.id }),
          ],
        },
      ],
      nearMisses: [
        miss('the lines were not saved', toLines, both),
        miss('only the first was added', toLines, page.addLine(first, a), page.save(invoice.id)),
        miss(
          'the quantity of both is one too many',
          toLines,
          page.addLine(first, { ...a, quantity: a.quantity + 1 }),
          page.addLine(first + 1, { ...b, quantity: b.quantity + 1 }),
          page.save(invoice.id),
        ),
        miss(
          'they were added to another invoice',
          page.open(other.id),
          page.tab('lines'),
          page.addLine(wrong, a),
          page.addLine(wrong + 1, b),
          page.save(other.id),
        ),
      ],
    };
  },
);

function inWords({ description, quantity, unit_price: price }: TypedLine): string {
  return `"${description}", cantidad ${quantity}, precio unitario ${price.toFixed(2).replace('.', ',')}`;
}
