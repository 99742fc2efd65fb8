import { CONTROLS, fill } from './controls.js';
import { element } from './element.js';
import { decoration } from './nac.js';
import { wordIn } from './words.js';

const asked = new URLSearchParams(location.search);
const languageAsked = asked.get('lang') ?? document.documentElement.dataset.defaultLanguage;

/** What the page shows now. */
export const page = {
  language: languageAsked === 'en' ? 'en' : 'es',
  filter: '',
  newClient: '',
  clients: [],
  invoices: [],
  /** The open invoice; null shows the list. */
  invoice: null,
  step: ['client', 'lines', 'conditions'].find((step) => step === asked.get('step')) ?? 'client',
  /** The invoice that is asked about, whether it is to be cancelled. */
  confirming: null,
  message: { text: '', isError: false },
  /** What was typed and not sent yet, by the id of its element. */
  typed: new Map(),
};

/** The controls and texts of this drawing, by their key: what each belongs to. */
export const drawn = new Map();

export function word(name, values = {}) {
  return fill(wordIn(page.language, name), values);
}

/** The one name of a control, in the page's language. */
export function label(key, values = {}) {
  return fill(CONTROLS[key][page.language], values);
}

/** An element that is a control: with an id of its own, its decoration, and what is given. */
export function control(tag, key, { values = {}, nac = {}, ...attributes } = {}, ...children) {
  return shown(tag, key, { values, nac, id: idOf(key, values), ...attributes }, ...children);
}

/** An element that only shows something: with its decoration, and what is given. */
export function shown(tag, key, { values = {}, nac = {}, ...attributes } = {}, ...children) {
  drawn.set(key, [...(drawn.get(key) ?? []), values]);
  return element(tag, { ...decoration(key, values, nac), ...attributes }, ...children);
}

export function idOf(key, values = {}) {
  return fill(key, values).replaceAll(/[._]/g, '-').toLowerCase();
}

/** A list to choose from: `options` are pairs of value and text. */
export function choice(key, { options, chosen, ...attributes }) {
  const items = options.map(([value, text]) => element('option', { value, selected: value === chosen }, text));
  return control('select', key, { nac: { 'field-type': 'select' }, ...attributes }, ...items);
}

/** A control below its visible name. */
export function labelled(key, made) {
  return element('div', {}, element('label', { for: made.id }, label(key)), made);
}

let drawing = () => {};

/** Says what draws the page. */
export function drawWith(given) {
  drawing = given;
}

/** Draws the page as it is now. */
export function draw() {
  drawing();
}
