/** Who is billed. What an invoice says of its client is a copy, which may be changed on the invoice alone. */
export type Client = {
  id: string;
  name: string;
  tax_id: string;
  address: string;
  email: string;
  phone: string;
};

export type Status = 'pending' | 'approved' | 'cancelled';
export const STATUSES = ['pending', 'approved', 'cancelled'] as const;

export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
export const PAYMENT_METHODS = ['cash', 'transfer', 'cheque', 'credit'] as const;

/** In how many days an invoice must be paid. */
export type TermDays = (typeof TERM_DAYS)[number];
export const TERM_DAYS = [0, 15, 30, 60] as const;

export type Line = {
  /** Never another line's on the same invoice, and kept when an earlier line goes. */
  number: number;
  description: string;
  quantity: number;
  unit_price_cents: number;
  discount_percent: number;
  /** Whether the description is as the grammar correction left it. */
  corrected: boolean;
};

export type Invoice = {
  id: string;
  status: Status;
  client_id: string;
  client_name: string;
  tax_id: string;
  address: string;
  email: string;
  phone: string;
  /** As `2026-05-18`. */
  date: string;
  lines: Line[];
  payment_method: PaymentMethod;
  term_days: TermDays;
  observations: string;
};

/** All that the app knows. */
export interface Book {
  today: string;
  clients: Client[];
  invoices: Invoice[];
  /** Changes to invoices that nobody has saved yet, by invoice. */
  drafts: Map<string, Invoice>;
}

export function lineTotalCents({ quantity, unit_price_cents, discount_percent }: Line): number {
  return Math.round((quantity * unit_price_cents * (100 - discount_percent)) / 100);
}

export function totalCents({ lines }: Invoice): number {
  return lines.reduce((sum, line) => sum + lineTotalCents(line), 0);
}

/** The number that the next line gets. */
export function nextLineNumber(lines: readonly Line[]): number {
  return Math.max(0, ...lines.map(({ number }) => number)) + 1;
}
