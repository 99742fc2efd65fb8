import { Json } from '../json.ts';
import { isRecord } from '../validation/record.ts';
import { sameText, comparedText } from './text.ts';
import { dateIn, isMoment } from './moment.ts';
import { canPair, isSequence, itemsIn, linesOf, MAX_ENTRIES, type Pieces, listPieces } from './pieces.ts';
import { isAmount, isCurrency } from './quantity.ts';
import { type AnswerType, type AnswerItem, answerTypeName, type TypeName, answerType } from './type.ts';

/**
 * Whether a value is the answer; docs/contracts.md has what is the same for each type. All of the value must be the answer: what
 * is left over fails, so several candidates at once never pass.
 * @throws Error when the type has no way to compare: every answer would fail it, and so pass its `not`
 */
export function isAnswer(type: AnswerType, given: Json): boolean {
  const name = answerTypeName(type);
  if (name === undefined) throw new Error('has no type of answer');
  return RULES[name](type, given);
}

const WORDS = { true: ['true', 'yes'], false: ['false', 'no'] };

const RULES: Readonly<Record<TypeName, (type: AnswerType, given: Json) => boolean>> = {
  one_of: ({ one_of: texts = [], ...folds }, given) => {
    const text = textOf(given);
    if (text === null) return false;
    const compared = comparedText(text, folds);
    return texts.some((each) => comparedText(each, folds) === compared);
  },
  number: ({ number: amount = 0, unit = '', bare, ...rest }, given) => {
    const units = new Set([unit].flat().map(sameText));
    const isUnit = (own: string): boolean => units.has(sameText(own)) || (bare === true && own === '');
    return isScalar(given) && isAmount(given, { ...rest, amount }, isUnit);
  },
  money: ({ money: amount = 0, currency = '', bare, ...rest }, given) => {
    const isUnit = (own: string): boolean => (own === '' ? bare === true : isCurrency(own, currency));
    return isScalar(given) && isAmount(given, { ...rest, amount }, isUnit);
  },
  date: ({ date, locale }, given) => typeof given === 'string' && dateIn(given, locale) === date,
  time: ({ time = '', locale }, given) => typeof given === 'string' && isMoment(given, time, locale),
  boolean: ({ boolean = false }, given) => {
    const text = textOf(given);
    return text !== null && WORDS[boolean ? 'true' : 'false'].includes(sameText(text).toLowerCase());
  },
  list: ({ list = [], any_order: anyOrder = false }, given) => (anyOrder ? isBag(list, given) : isInOrder(list, given)),
  set: ({ set = [] }, given) => isSet(set, given),
  object: ({ object = {} }, given) => isObject(Object.entries(object), given),
  rows: isTable,
};

function isScalar(given: Json): given is string | number {
  return typeof given === 'string' || typeof given === 'number';
}

function textOf(given: Json): string | null {
  return isScalar(given) || typeof given === 'boolean' ? String(given) : null;
}

function isItem(item: AnswerItem | undefined, given: Json | undefined): boolean {
  return item !== undefined && given !== undefined && isAnswer(answerType(item), given);
}

/** A list or map that was given as JSON text; any other text is left as it is. */
function structured(given: Json): Json {
  if (typeof given !== 'string' || !/^\s*[[{]/.test(given)) return given;
  try {
    const value = Json.parse(JSON.parse(given));
    return keysWritten(given) === keysHeld(value) ? value : given;
  } catch {
    return given;
  }
}

/** A field that is written twice would give two candidates, of which a parser keeps the last. */
function keysWritten(json: string): number {
  return [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/gs)].filter(([, colon]) => colon !== undefined).length;
}

function keysHeld(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, each) => sum + keysHeld(each), Array.isArray(value) ? 0 : inner.length);
}

/** The values of an answer, or the pieces of its text; null if it is a map, or too long to compare each with each. */
function entriesOf(given: Json): Json[] | Pieces | null {
  const read = structured(given);
  if (Array.isArray(read)) return read.length > MAX_ENTRIES ? null : read;
  if (typeof read === 'string') return listPieces(read);
  return isRecord(read) ? null : [read];
}

function isInOrder(items: readonly AnswerItem[], given: Json): boolean {
  const entries = entriesOf(given);
  if (entries === null) return false;
  if (Array.isArray(entries))
    return entries.length === items.length && items.every((item, at) => isItem(item, entries[at]));
  return isSequence(entries, items.length, (text, at) => isItem(items[at], text));
}

/** The values that are items; null if one matches no item. */
function knownIn(items: readonly AnswerItem[], given: Json): Json[] | null {
  const entries = entriesOf(given);
  const isAny = (value: Json): boolean => items.some((item) => isItem(item, value));
  if (entries === null || !Array.isArray(entries)) return entries === null ? null : itemsIn(entries, isAny);
  return entries.every(isAny) ? entries : null;
}

function isBag(items: readonly AnswerItem[], given: Json): boolean {
  const known = knownIn(items, given);
  return known?.length === items.length && isPaired(items, known);
}

function isSet(items: readonly AnswerItem[], given: Json): boolean {
  const known = knownIn(items, given);
  return known !== null && isPaired(items, known);
}

function isPaired(items: readonly AnswerItem[], given: readonly Json[]): boolean {
  return canPair(items.length, given.length, (item, at) => isItem(items[item], given[at]));
}

type Field = readonly [key: string, item: AnswerItem];

function isObject(fields: readonly Field[], given: Json): boolean {
  const read = structured(given);
  if (isRecord(read)) {
    const entries = Object.entries(read);
    const isField = ([key, item]: Field): boolean =>
      entries.some(([name, value]) => isSameName(name, key) && isItem(item, value));
    return entries.length === fields.length && fields.every(isField);
  }
  if (typeof read !== 'string') return false;
  const isField = (text: string, [key, item]: Field): boolean => {
    const [, name = '', value = ''] = /^(.+?)\s*[:=]\s*(.+)$/s.exec(text) ?? [];
    return isSameName(name, key) && isItem(item, value);
  };
  const found = itemsIn(listPieces(read), (text) => fields.some((field) => isField(text, field)));
  if (found?.length !== fields.length) return false;
  return fields.every((field) => found.some((text) => isField(text, field)));
}

function isSameName(one: string, other: string): boolean {
  return plainName(one) === plainName(other);
}

function plainName(name: string): string {
  return sameText(name)
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ');
}

function isTable({ rows = [], columns = [], any_order: anyOrder = false }: AnswerType, given: Json): boolean {
  const read = structured(given);
  const found = typeof read === 'string' ? linesIn(read, columns) : read;
  if (!Array.isArray(found) || found.length !== rows.length) return false;
  const fits = (row: number, at: number): boolean => isRow(rows[row] ?? [], columns, found[at] ?? null);
  return anyOrder ? canPair(rows.length, found.length, fits) : rows.every((_, at) => fits(at, at));
}

/** The rows of a table in text, without its heading and the line below that. */
function linesIn(text: string, columns: readonly string[]): Json[] {
  const lines = linesOf(text)
    .filter((line) => !(/^[\s:|-]+$/.test(line) && line.includes('---')))
    .map((line) => cellsIn(line));
  const [first] = lines;
  const heading = typeof first === 'string' ? first.split(/[,;]/) : first;
  const isHeading =
    heading?.length === columns.length && columns.every((name, at) => isSameName((heading[at] ?? '').trim(), name));
  return isHeading ? lines.slice(1) : lines;
}

function cellsIn(line: string): string | string[] {
  if (line.includes('|'))
    return line
      .replaceAll(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim());
  return line.includes('\t') ? line.split('\t') : line;
}

function isRow(row: readonly AnswerItem[], columns: readonly string[], given: Json): boolean {
  const fields = row.map((item, at): Field => [columns[at] ?? '', item]);
  return isRecord(given) ? isObject(fields, given) : isInOrder(row, given);
}
