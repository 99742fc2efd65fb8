import type { defineTask } from 'touchstone';
import type { Language } from '../../apps/invoice/seed-book.ts';
import { nameOf } from './names.ts';

export type TaskInput = Parameters<typeof defineTask>[0];
type NearMiss = NonNullable<TaskInput['nearMisses']>[number];
export type Step = NearMiss['steps'][number];

type Tab = 'client' | 'lines' | 'conditions';

/** What the page says when it has done something, and what shows that a step of the wizard is there. */
const SAID = {
  es: {
    opened: 'Factura {id}',
    created: 'Factura {id} creada',
    saved: 'Factura {id} guardada',
    cancelled: 'Factura {id} cancelada',
    added: 'Línea {id} agregada',
    removed: 'Línea {id} eliminada',
    corrected: 'Línea {id} corregida',
    client: 'CUIT',
    lines: 'Precio unitario',
    conditions: 'Plazo de pago',
  },
  en: {
    opened: 'Invoice {id}',
    created: 'Invoice {id} created',
    saved: 'Invoice {id} saved',
    cancelled: 'Invoice {id} cancelled',
    added: 'Line {id} added',
    removed: 'Line {id} removed',
    corrected: 'Line {id} corrected',
    client: 'Tax id',
    lines: 'Unit price',
    conditions: 'Payment term',
  },
} as const;

/** A line as it is typed; the price in the currency's unit. */
export interface TypedLine {
  description: string;
  quantity: number;
  unit_price: number;
}

/** The list comes after the page does. */
function shown(invoice: string): Step {
  return { do: 'wait_for', text: invoice };
}

/** What a user of the page does, in the page's language. */
export function onPage(language: Language) {
  const wait = (what: keyof (typeof SAID)['es'], id: string | number = ''): Step => ({
    do: 'wait_for',
    text: SAID[language][what].replace('{id}', String(id)),
  });
  const press = (control: string, values: Record<string, string | number> = {}, role = 'button'): Step => ({
    do: 'click',
    role,
    name: nameOf(control, language, values),
  });
  const field = (name: string, text: string | number): Step => ({
    do: 'fill',
    label: nameOf(`field.${name}`, language),
    text: String(text),
  });
  const lineField = (line: number, name: string, text: string | number): Step => ({
    do: 'fill',
    label: nameOf(`field.line_{line}_${name}`, language, { line }),
    text: String(text),
  });
  const choose = (control: string, option: string): Step => ({
    do: 'choose',
    label: nameOf(control, language),
    option,
  });
  return {
    press,
    field,
    lineField,
    open: (invoice: string): Step[] => [shown(invoice), press('invoice.open.{invoice}', { invoice }), wait('opened', invoice)],
    tab: (tab: Tab): Step[] => [press(`tab.${tab}`, {}, 'tab'), wait(tab)],
    save: (invoice: string): Step[] => [press('invoice.save'), wait('saved', invoice)],
    create: (client: string, invoice: string): Step[] => [
      choose('field.new_invoice_client', client),
      press('invoice.create'),
      wait('created', invoice),
    ],
    addLine: (line: number, { description, quantity, unit_price: price }: TypedLine): Step[] => [
      press('line.add'),
      wait('added', line),
      lineField(line, 'description', description),
      lineField(line, 'quantity', quantity),
      lineField(line, 'unit_price', price.toFixed(2)),
    ],
    removeLine: (line: number): Step[] => [press('line.remove.{line}', { line }), wait('removed', line)],
    correctLine: (line: number): Step[] => [press('line.correct.{line}', { line }), wait('corrected', line)],
    cancel: (invoice: string): Step[] => [
      shown(invoice),
      press('invoice.cancel.{invoice}', { invoice }),
      press('confirm.yes', { invoice }),
      wait('cancelled', invoice),
    ],
    close: (): Step[] => [press('invoice.close'), { do: 'wait_for', text: nameOf('invoice.create', language) }],
    choose,
    term: (days: number): Step => press(`field.term_days.${days}`, {}, 'radio'),
  };
}

/** A call of one of the app's tools. */
export function call(tool: string, args: Record<string, string | number | boolean>): Step {
  return { do: 'call', tool, args };
}

export function answer(value: string | number): Step {
  return { do: 'answer', value };
}

export function miss(why: string, ...steps: (Step | Step[])[]): NearMiss {
  return { why, steps: steps.flat() };
}
