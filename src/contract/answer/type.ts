import { z } from 'zod';
import { fact } from '../../messages/messages.ts';
import { exactlyOne, has, onlyWith, Text } from '../fields.ts';
import { addProblem, rule } from '../validation/wording.ts';
import { LocaleName } from './locale.ts';
import { momentIn } from './moment.ts';
import type { TextFolds } from './text.ts';

/** A value of an answer: a text, a number, true or false, or a type with its fields. */
export type AnswerItem = string | number | boolean | AnswerType;

/** One of `one_of`, `number`, `money`, `date`, `time`, `boolean`, `list`, `set`, `object` and `rows`, with its fields. */
export interface AnswerType extends TextFolds {
  one_of?: string[] | undefined;
  number?: number | undefined;
  money?: number | undefined;
  tolerance?: number | undefined;
  unit?: string | string[] | undefined;
  currency?: string | undefined;
  bare?: true | undefined;
  date?: string | undefined;
  time?: string | undefined;
  locale?: LocaleName | undefined;
  boolean?: boolean | undefined;
  list?: AnswerItem[] | undefined;
  set?: AnswerItem[] | undefined;
  any_order?: boolean | undefined;
  object?: Record<string, AnswerItem> | undefined;
  columns?: string[] | undefined;
  rows?: AnswerItem[][] | undefined;
}

const MAX_ITEMS = 200;

export const AnswerItem: z.ZodType<AnswerItem> = z.lazy(() =>
  z.union(
    [Text, z.number(), z.boolean(), z.strictObject(ANSWER_FIELDS).superRefine(fieldProblems)],
    rule('answer_item'),
  ),
);

function itemsOf<T extends z.ZodType>(entry: T) {
  return z
    .array(entry)
    .min(1, rule('list_empty', { entry: 'value' }))
    .max(MAX_ITEMS);
}

/** The fields of an answer, and of each value inside one. */
export const ANSWER_FIELDS = {
  one_of: z.array(Text).min(1).optional(),
  ignore_case: z.boolean().optional(),
  ignore_width: z.boolean().optional(),
  exact: z.literal(true).optional(),
  number: z.number().optional(),
  tolerance: z.number().min(0).optional(),
  unit: z.union([Text, z.array(Text).min(1)], rule('answer_unit')).optional(),
  bare: z.literal(true).optional(),
  money: z.number().optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, rule('not_a_currency'))
    .optional(),
  date: z.iso.date(rule('not_a_date')).optional(),
  time: z.string().refine(isTime, rule('not_a_time')).optional(),
  locale: LocaleName.optional(),
  boolean: z.boolean().optional(),
  list: itemsOf(AnswerItem).optional(),
  set: itemsOf(AnswerItem).optional(),
  any_order: z.boolean().optional(),
  object: z.record(Text, AnswerItem).optional(),
  columns: z.array(Text).min(1).optional(),
  rows: itemsOf(z.array(AnswerItem)).optional(),
};

const TYPES = ['one_of', 'number', 'money', 'date', 'time', 'boolean', 'list', 'set', 'object', 'rows'] as const;
export type TypeName = (typeof TYPES)[number];

function isTime(text: string): boolean {
  return /^(?:\d{4}-\d{2}-\d{2}T)?\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?$/.test(text) && momentIn(text) !== null;
}

/** Refuses fields that do not go together. */
export function fieldProblems(node: AnswerType, context: z.RefinementCtx, others: readonly string[] = []): void {
  exactlyOne(node, [...TYPES, ...others], context);
  onlyWith(node, ['one_of'], ['ignore_case', 'ignore_width', 'exact'], context);
  onlyWith(node, ['number', 'money'], ['tolerance'], context);
  onlyWith(node, ['number'], ['unit'], context);
  onlyWith(node, ['unit', 'money'], ['bare'], context);
  onlyWith(node, ['money'], ['currency'], context);
  onlyWith(node, ['number', 'money', 'date', 'time'], ['locale'], context);
  onlyWith(node, ['list', 'rows'], ['any_order'], context);
  onlyWith(node, ['rows'], ['columns'], context);
  if (has(node, 'money') && !has(node, 'currency')) addProblem(fact('money_without_currency'), context, ['money']);
  if (node.exact === true && (node.ignore_case === true || node.ignore_width === true))
    addProblem(fact('exact_ignores'), context, ['exact']);
  if (node.object !== undefined && Object.keys(node.object).length === 0)
    addProblem(fact('answer_object_empty'), context, ['object']);
  rowProblems(node, context);
}

function rowProblems({ rows, columns }: AnswerType, context: z.RefinementCtx): void {
  if (!Array.isArray(rows)) return;
  if (columns === undefined) return addProblem(fact('rows_without_columns'), context, ['rows']);
  for (const [index, row] of rows.entries()) {
    if (!Array.isArray(row) || row.length === columns.length) continue;
    addProblem(fact('row_length', { count: row.length, columns: columns.length }), context, ['rows', index]);
  }
}

export function answerType(item: AnswerItem): AnswerType {
  if (typeof item === 'string') return { one_of: [item] };
  if (typeof item === 'number') return { number: item };
  return typeof item === 'boolean' ? { boolean: item } : item;
}

export function answerTypeName(type: AnswerType): TypeName | undefined {
  return TYPES.find((name) => type[name] !== undefined);
}

/** The correct answer as plain JSON, with the first of several texts. */
export function valueOf(type: AnswerType): unknown {
  const of = (item: AnswerItem): unknown => valueOf(answerType(item));
  const { one_of: texts, money, currency, number, unit, object, rows, columns = [] } = type;
  if (texts !== undefined) return texts[0];
  if (money !== undefined) return `${money} ${currency ?? ''}`;
  if (number !== undefined) return unit === undefined ? number : `${number} ${[unit].flat()[0] ?? ''}`;
  if (object !== undefined) return Object.fromEntries(Object.entries(object).map(([key, item]) => [key, of(item)]));
  if (rows !== undefined) return rows.map((row) => Object.fromEntries(row.map((cell, at) => [columns[at], of(cell)])));
  return type.date ?? type.time ?? type.boolean ?? (type.list ?? type.set)?.map(of);
}
