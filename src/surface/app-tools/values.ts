import type { Json, JsonObject } from '../../contract/json.ts';

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the values that can name a thing: a text or a number, as text; nothing of any other value. */
export function scalar(value: Json | undefined): string[] {
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** The schema of a field, as far as its owner's tells. */
export function fieldSchema(schema: Json | undefined, field: string): Json | undefined {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) && Object.hasOwn(properties, field) ? properties[field] : undefined;
}
