import { defineTask } from 'touchstone';
import type { Book, Invoice, Line, Status } from '../../apps/invoice/invoice.ts';
import { Draws } from '../../apps/invoice/random.ts';
import { drawnBook, type Language } from '../../apps/invoice/seed-book.ts';
import { onPage, type TaskInput, type TypedLine } from './steps.ts';

/** How many instances a template has. */
const INSTANCES = 5;

interface Header {
  id: string;
  title: string;
  language: Language;
  /** What may be looked at while the instrument is tuned, and what may not: see README.md. */
  split: 'development' | 'held-out';
  category: NonNullable<TaskInput['category']>;
  /** The seed of the first instance; the others follow it. No two templates share one. */
  firstSeed: number;
}

/** What an instance is made from: its book as the app will have it, and draws for the rest. */
export interface Given {
  book: Book;
  draws: Draws;
  page: ReturnType<typeof onPage>;
}

type Written = Pick<TaskInput, 'goal' | 'success' | 'guards' | 'solutions' | 'nearMisses'>;

/** The instances of a template: one task for each seed, with all that it says derived from what the seed draws. */
export function template(header: Header, write: (given: Given) => Written): TaskInput[] {
  const { id, title, language, split, category, firstSeed } = header;
  return Array.from({ length: INSTANCES }, (_none, index) => {
    const seed = firstSeed + index;
    const given = { book: drawnBook(seed, language), draws: new Draws(seed + 1_000_000), page: onPage(language) };
    return defineTask({
      id,
      title,
      category,
      maxSteps: 40,
      maxDurationMs: 600_000,
      startUrl: `http://invoice.localhost/?lang=${language}`,
      tags: [split, language === 'es' ? 'spanish' : 'english'],
      instance: { name: `seed-${seed}`, seed, parameters: { seed, language } },
      ...write(given),
    });
  });
}

/** The invoices of a status, oldest first. */
export function ofStatus({ invoices }: Book, status: Status): Invoice[] {
  return invoices.filter((invoice) => invoice.status === status).toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/** Two different ones of a list. */
export function two<T>(draws: Draws, all: readonly T[]): [T, T] {
  const [first, second] = draws.shuffled(all);
  if (first === undefined || second === undefined) throw new Error('there are fewer than two');
  return [first, second];
}

/** A line that sells this product, for a price near its own. */
export function lineOf(draws: Draws, [description, cents]: readonly [string, number]): TypedLine {
  return { description, quantity: draws.between(2, 30), unit_price: (cents + draws.between(1, 90) * 25) / 100 };
}

/** A line that was added, as it is in the app's state. */
export function inState({ description, quantity, unit_price: price }: TypedLine) {
  return { description, quantity, unit_price_cents: Math.round(price * 100), discount_percent: 0, corrected: false };
}

/** Where something of an invoice is in the app's state. */
export function at({ id }: Invoice, ...path: (string | number)[]): string {
  return ['', 'invoices', id, ...path].join('/');
}

export function atLine(invoice: Invoice, { number }: Pick<Line, 'number'>, field: string): string {
  return at(invoice, 'lines', number, field);
}

type Held = string | number | boolean | { [name: string]: Held };

/** All of these values are in the app's state. */
export function holds(values: Record<string, Held>): TaskInput['success'] {
  const children = Object.entries(values).map(([pointer, equals]) => ({ kind: 'app_state' as const, pointer, equals }));
  return { kind: 'and', children };
}

export function unchangedBut(...except: string[]): TaskInput['guards'] {
  return { kind: 'unchanged', except };
}

/**
 * It was answered that it is not possible, by someone who has asked for the invoice: the list does not say what may be done
 * with one.
 */
export function foundImpossible({ id }: Invoice): TaskInput['success'] {
  return {
    kind: 'and',
    children: [
      { kind: 'answer', not_possible: true },
      {
        kind: 'network',
        url_pattern: '^http://invoice\\.localhost/(api/\\w+|mcp)$',
        method: 'POST',
        status_in: [200, 422],
        body_matches: id,
        since: 'contract_enter',
      },
    ],
  };
}
