import { z } from 'zod';
import type { Json, JsonObject } from '../../contract/json.ts';
import type { ToolCall, ToolDefinition } from '../../task/tool.ts';
import type { Within } from './heard.ts';
import { fieldSchema, isObject, scalar } from './values.ts';

/**
 * By this keyword the schema of an argument says that it names a thing of the app: `true`, or within which other. That is the
 * one that the argument `within` names, and replies list all things within it in the field `list`.
 */
const KEYWORD = 'x-names';
const Names = z.union([z.literal(true), z.strictObject({ within: z.string(), list: z.string() })]);

/** Where an app does not say, a field that names a thing: `id`, `invoice_id`, `lineId`. */
const BY_CONVENTION = /(?:^|_)id$|[a-z]Id$/;

/** A thing of the app, as a call names it. */
export interface Named {
  value: string;
  /** Null where the name stands by itself. */
  within: Within | null;
}

/** The things that a call names. An app whose schemas say which arguments do is taken at its word. */
export function namedBy({ tool, args }: ToolCall, tools: readonly ToolDefinition[]): Named[] {
  if (!tools.some(({ input_schema: schema }) => doesSay(schema))) return byConvention(args, '');
  const known = tools.find(({ name }) => name === tool);
  return bySchema(args, known?.input_schema, '', {});
}

function doesSay(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(doesSay);
  if (!isObject(schema)) return false;
  return Names.safeParse(schema[KEYWORD]).success || Object.values(schema).some(doesSay);
}

/** @param holder the arguments that the value stands among */
function bySchema(value: Json, schema: Json | undefined, field: string, holder: JsonObject): Named[] {
  if (!isObject(schema)) return [];
  const says = Names.safeParse(schema[KEYWORD]);
  if (says.success) {
    const within = says.data === true ? null : withinOf(says.data, field, holder);
    return (Array.isArray(value) ? value : [value]).flatMap(scalar).map((name) => ({ value: name, within }));
  }
  if (Array.isArray(value)) return value.flatMap((each) => bySchema(each, schema['items'], field, holder));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => bySchema(inner, fieldSchema(schema, name), name, value));
}

function withinOf({ within, list }: { within: string; list: string }, by: string, holder: JsonObject): Within {
  const [owner = ''] = scalar(holder[within]);
  return { field: within, owner, list, by };
}

function byConvention(value: Json, field: string): Named[] {
  if (Array.isArray(value)) return value.flatMap((each) => byConvention(each, field));
  if (isObject(value)) return Object.entries(value).flatMap(([name, inner]) => byConvention(inner, name));
  return BY_CONVENTION.test(field) ? scalar(value).map((name) => ({ value: name, within: null })) : [];
}
