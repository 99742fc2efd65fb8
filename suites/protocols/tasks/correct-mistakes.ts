import { corrected } from '../../../apps/invoice/grammar.ts';
import { call, miss } from '../steps.ts';
import { atLine, holds, ofStatus, template, two, unchangedBut } from '../template.ts';

export default template(
  {
    id: 'correct-mistakes',
    title: 'Corregir las líneas con errores',
    language: 'es',
    split: 'held-out',
    category: 'dynamic_ui',
    firstSeed: 801,
  },
  ({ book, draws, page }) => {
    const [invoice, other] = two(draws, ofStatus(book, 'pending'));
    const wrong = invoice.lines.filter(({ description }) => corrected(description) !== description);
    const [first, second] = wrong;
    if (first === undefined || second === undefined) throw new Error('there are fewer than two mistakes');
    const expected = wrong.flatMap((line) => [
      [atLine(invoice, line, 'description'), corrected(line.description)],
      [atLine(invoice, line, 'corrected'), true],
    ]);
    const toLines = [...page.open(invoice.id), ...page.tab('lines')];
    const otherWrong = other.lines.filter(({ description }) => corrected(description) !== description);
    return {
      goal: `En la factura ${invoice.id} hay ${wrong.length} líneas con errores de ortografía. Corregilas con la corrección automática de cada línea, sin escribir los textos a mano, y guardá la factura. No cambies nada más.`,
      success: holds(Object.fromEntries(expected)),
      guards: unchangedBut(
        ...wrong.flatMap((line) => [atLine(invoice, line, 'description'), atLine(invoice, line, 'corrected')]),
      ),
      solutions: [
        { steps: [...toLines, ...wrong.flatMap(({ number }) => page.correctLine(number)), ...page.save(invoice.id)] },
        {
          for: 'tools',
          steps: [
            call('get_invoice', { invoice_id: invoice.id }),
            ...wrong.map(({ number }) => call('correct_grammar', { invoice_id: invoice.id, line: number })),
            call('save_invoice', { invoice_id: invoice.id }),
          ],
        },
      ],
      nearMisses: [
        miss(
          'it was not saved',
          toLines,
          wrong.flatMap(({ number }) => page.correctLine(number)),
        ),
        miss('only the first was corrected', toLines, page.correctLine(first.number), page.save(invoice.id)),
        miss(
          'the right texts were typed by hand',
          toLines,
          wrong.map(({ number, description }) => page.lineField(number, 'description', corrected(description))),
          page.save(invoice.id),
        ),
        miss(
          'the second was typed by hand',
          toLines,
          page.correctLine(first.number),
          page.lineField(second.number, 'description', corrected(second.description)),
          page.save(invoice.id),
        ),
        miss(
          'another invoice was corrected',
          page.open(other.id),
          page.tab('lines'),
          otherWrong.flatMap(({ number }) => page.correctLine(number)),
          page.save(other.id),
        ),
      ],
    };
  },
);
