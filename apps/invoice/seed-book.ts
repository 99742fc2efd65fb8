import { CLIENTS, PRODUCTS } from './catalogue.ts';
import { CORRECTIONS } from './grammar.ts';
import { type Book, type Client, type Invoice, type Line, nextLineNumber, type Status } from './invoice.ts';
import { Draws } from './random.ts';

export type Language = 'es' | 'en';

/** The day on which every episode takes place. */
const TODAY = '2026-05-18';
const CLIENT_COUNT = 8;
const OF_EACH_STATUS = 5;
const DAY_MS = 86_400_000;

/** The book of the four first tasks: fifteen invoices in the order of their states, INV-0001 the oldest and longest. */
export function firstBook(language: Language): Book {
  const clients = clientsOf([...CLIENTS.keys()].slice(0, CLIENT_COUNT));
  const draws = new Draws(1);
  const invoices = statuses().map((status, index) => {
    const client = clients[index % CLIENT_COUNT];
    const lines = index === 0 ? longLines(language) : fewLines(draws, language, status === 'pending');
    return invoiceOf({ place: index, client, status, daysAgo: index === 0 ? 90 : 72 - index * 4, lines });
  });
  return { today: TODAY, clients, invoices, drafts: new Map() };
}

/** A book in which clients, dates, states, lines and mistakes are drawn. */
export function drawnBook(seed: number, language: Language): Book {
  const draws = new Draws(seed);
  const clients = clientsOf(draws.shuffled([...CLIENTS.keys()]).slice(0, CLIENT_COUNT));
  const ages = draws.shuffled(Array.from({ length: 110 }, (_none, index) => index + 3));
  const owners = draws.shuffled([...clients, ...clients]);
  const invoices = draws.shuffled(statuses()).map((status, place) =>
    invoiceOf({
      place,
      client: owners[place],
      status,
      daysAgo: ages[place] ?? 0,
      lines: fewLines(draws, language, status === 'pending'),
    }),
  );
  return { today: TODAY, clients, invoices, drafts: new Map() };
}

function statuses(): Status[] {
  const all: Status[] = ['pending', 'approved', 'cancelled'];
  return all.flatMap((status) => Array.from({ length: OF_EACH_STATUS }, () => status));
}

function clientsOf(places: readonly number[]): Client[] {
  return places.map((place, index) => {
    const [name = '', address = ''] = CLIENTS[place] ?? [];
    const domain = name
      .normalize('NFD')
      .toLowerCase()
      .replaceAll(/[^a-z ]/g, '')
      .trim()
      .replaceAll(' ', '-');
    return {
      id: `C-${String(index + 1).padStart(3, '0')}`,
      name,
      address,
      tax_id: `30-${70_100_200 + place * 13_577}-${place % 10}`,
      email: `administracion@${domain}.example`,
      phone: `+54 11 4${String(300 + place * 7)}-${1000 + place * 211}`,
    };
  });
}

interface Draft {
  place: number;
  client: Client | undefined;
  status: Status;
  daysAgo: number;
  lines: Line[];
}

function invoiceOf({ place, client, status, daysAgo, lines }: Draft): Invoice {
  if (client === undefined) throw new Error('there are fewer clients than invoices need');
  return {
    id: invoiceId(place + 1),
    status,
    ...billed(client),
    date: new Date(Date.parse(TODAY) - daysAgo * DAY_MS).toISOString().slice(0, 10),
    lines,
    payment_method: 'transfer',
    term_days: 30,
    observations: '',
  };
}

/** What an invoice takes over of its client. */
export function billed({ id, name, tax_id, address, email, phone }: Client) {
  return { client_id: id, client_name: name, tax_id, address, email, phone };
}

export function invoiceId(number: number): string {
  return `INV-${String(number).padStart(4, '0')}`;
}

/** Three to six lines without a word twice; two more, with mistakes in them, for an invoice that can still be mended. */
function fewLines(draws: Draws, language: Language, hasMistakes: boolean): Line[] {
  const sold = draws.shuffled(PRODUCTS[language]).slice(0, draws.between(3, 6));
  const wrong = hasMistakes ? draws.shuffled(CORRECTIONS[language]).slice(0, 2) : [];
  const wanted: [string, number][] = [
    ...sold.map(([description, cents]): [string, number] => [description, cents + draws.between(0, 9) * 50]),
    ...wrong.map(([description]): [string, number] => [description, draws.between(20, 180) * 100]),
  ];
  return numbered(
    draws.shuffled(wanted).map(([description, cents]) => lineOf(description, draws.between(1, 12), cents)),
  );
}

const LONG = 48;
const MONITORS = {
  es: ['Monitor 22 pulgadas, recepción', 'Monitor 27 pulgadas, diseño', 'Monitor curvo, gerencia'],
  en: ['22 inch monitor, front desk', '27 inch monitor, design', 'Curved monitor, management'],
};
/** Which lines of the long invoice are monitors. The first line is one too, with mistakes. */
const MONITOR_LINES = [12, 23, 37];
/** Which lines have mistakes, in the order of the table. */
const WRONG_LINES = [1, 5, 8];

function longLines(language: Language): Line[] {
  const desk = language === 'es' ? 'puesto' : 'desk';
  return Array.from({ length: LONG }, (_none, index) => {
    const number = index + 1;
    const [product, cents] = PRODUCTS[language][index % PRODUCTS[language].length] ?? ['', 0];
    const mistake = CORRECTIONS[language][WRONG_LINES.indexOf(number)]?.[0];
    const monitor = MONITORS[language][MONITOR_LINES.indexOf(number)];
    const description = mistake ?? monitor ?? `${product}, ${desk} ${number}`;
    const price = mistake === undefined && monitor === undefined ? cents : 24_900 + number * 100;
    return { ...lineOf(description, 1 + (index % 4), price), number };
  });
}

function lineOf(description: string, quantity: number, cents: number): Omit<Line, 'number'> {
  return { description, quantity, unit_price_cents: cents, discount_percent: 0, corrected: false };
}

function numbered(lines: readonly Omit<Line, 'number'>[]): Line[] {
  return lines.reduce<Line[]>((all, line) => [...all, { ...line, number: nextLineNumber(all) }], []);
}
