import type { Json } from '../../contract/json.ts';
import { fieldSchema, isObject } from './values.ts';

/** Where arguments have a field that the schema does not have, or a value that is none of those to choose from. */
export function inventedChoices(value: Json, schema: Json | undefined, at = ''): string[] {
  if (!isObject(schema)) return [];
  const choices = choicesOf(schema);
  if (choices !== null && !choices.includes(value)) return [at];
  if (Array.isArray(value)) {
    return value.flatMap((each, index) => inventedChoices(each, schema['items'], `${at}[${index}]`));
  }
  if (!isObject(value) || !isObject(schema['properties'])) return [];
  const isOpen = schema['additionalProperties'] === true || isObject(schema['additionalProperties']);
  return Object.entries(value).flatMap(([field, inner]) => {
    const place = at === '' ? field : `${at}.${field}`;
    const known = fieldSchema(schema, field);
    if (known !== undefined) return inventedChoices(inner, known, place);
    return isOpen || isObject(schema['patternProperties']) ? [] : [place];
  });
}

/** Which sorts of values there are among arguments: chosen from a list, or free text. */
export function sortsIn(value: Json, schema: Json | undefined): ('choice' | 'text')[] {
  if (isObject(schema) && choicesOf(schema) !== null) return ['choice'];
  if (Array.isArray(value)) {
    const items = isObject(schema) ? schema['items'] : undefined;
    return value.flatMap((each) => sortsIn(each, items));
  }
  if (isObject(value)) {
    return Object.entries(value).flatMap(([field, inner]) => sortsIn(inner, fieldSchema(schema, field)));
  }
  return typeof value === 'string' ? ['text'] : [];
}

/** The values to choose from; null where any will do. */
function choicesOf(schema: Json | undefined): Json[] | null {
  if (!isObject(schema)) return null;
  if (Array.isArray(schema['enum'])) return schema['enum'];
  if (schema['const'] !== undefined) return [schema['const']];
  if (schema['type'] === 'null') return [null];
  const branches = schema['anyOf'] ?? schema['oneOf'];
  if (!Array.isArray(branches)) return null;
  const each = branches.map(choicesOf);
  return each.every((choices) => choices !== null) ? each.flat() : null;
}
