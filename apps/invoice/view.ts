import { type Invoice, type Line, lineTotalCents, totalCents } from './invoice.ts';

/** An invoice as a row of the list. Amounts are in the currency's unit, not in cents. */
export function summaryOf(invoice: Invoice, unsaved_changes: boolean) {
  const { id, client_id, client_name, date, status } = invoice;
  return { invoice_id: id, client_id, client_name, date, status, total: totalCents(invoice) / 100, unsaved_changes };
}

/** The whole invoice. */
export function viewOf(invoice: Invoice, unsaved_changes: boolean) {
  const { tax_id, address, email, phone, lines, payment_method, term_days, observations } = invoice;
  return {
    ...summaryOf(invoice, unsaved_changes),
    tax_id,
    address,
    email,
    phone,
    lines: lines.map(lineView),
    payment_method,
    term_days,
    observations,
  };
}

function lineView(line: Line) {
  const { number, description, quantity, unit_price_cents, discount_percent, corrected } = line;
  return {
    line: number,
    description,
    quantity,
    unit_price: unit_price_cents / 100,
    discount_percent,
    corrected,
    total: lineTotalCents(line) / 100,
  };
}
