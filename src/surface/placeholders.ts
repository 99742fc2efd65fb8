import type { Json, JsonObject } from '../contract/json.ts';

/** Values of a server file's `{{names}}`; one without a value is null. */
export type Values = Readonly<Record<string, string | number | null>>;

const WHOLE = /^\{\{(\w+)\}\}$/;
const ANY = /\{\{(\w+)\}\}/g;

/** The names that a text asks for. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(ANY)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

/** The names that the fields of some arguments, or of objects within them, ask for. */
export function placeholdersInFields(args: Json): string[] {
  if (Array.isArray(args)) return args.flatMap(placeholdersInFields);
  if (typeof args !== 'object' || args === null) return [];
  return Object.entries(args).flatMap(([field, value]) => [...placeholdersIn(field), ...placeholdersInFields(value)]);
}

export function withValues(text: string, values: Values): string {
  return text.replaceAll(ANY, (placeholder, name: string) => String(valueOf(values, name) ?? placeholder));
}

/**
 * Arguments with their placeholders filled in, those in the names of fields too. A value that is nothing but one placeholder keeps
 * its type, and a field is left out whose placeholder, in its value or its name, has no value.
 */
export function filledObject(args: JsonObject, values: Values): JsonObject {
  return Object.fromEntries(
    Object.entries(args).flatMap(([field, value]) => {
      const isNamed = placeholdersIn(field).every((name) => valueOf(values, name) !== null);
      const filled = filledJson(value, values);
      return !isNamed || (filled === null && value !== null) ? [] : [[withValues(field, values), filled]];
    }),
  );
}

function filledJson(value: Json, values: Values): Json {
  if (typeof value === 'string') {
    const name = WHOLE.exec(value)?.[1];
    return name === undefined ? withValues(value, values) : valueOf(values, name);
  }
  if (Array.isArray(value)) return value.map((each) => filledJson(each, values));
  return typeof value === 'object' && value !== null ? filledObject(value, values) : value;
}

function valueOf(values: Values, name: string): string | number | null {
  return Object.hasOwn(values, name) ? (values[name] ?? null) : null;
}
