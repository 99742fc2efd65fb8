import type { Json, JsonObject } from '../../contract/json.ts';
import type { TargetReport } from '../../task/target.ts';
import type { ToolCall, ToolDefinition } from '../../task/tool.ts';
import type { Heard } from './heard.ts';

/** A field that names a thing of the app: `id`, `invoice_id`, `lineId`. Any other text is free: nobody can say that it is made up. */
const NAMES_A_THING = /(?:^|_)id$|[a-z]Id$/;

/**
 * What is known of the target of a call of an app's own tools. How many things an id means only the app knows, so nobody
 * counts them; a call that names none aims at nothing.
 */
export function targetOfCall(
  { tool, args }: ToolCall,
  tools: readonly ToolDefinition[],
  heard: Pick<Heard, 'has'>,
): TargetReport | null {
  const known = tools.find(({ name }) => name === tool);
  const invented = known === undefined ? ['tool'] : inventedIn(args, known.input_schema, '');
  const ids = idsIn(args);
  // All replies so far count as shown.
  const base = {
    shown_before: false,
    matched_then: null,
    matched_now: null,
    actionable: null,
    dispatched: known !== undefined,
    invented,
  };
  if (ids.length > 0) return { ...base, shown: ids.every((id) => heard.has(id)) };
  if (invented.length > 0) return { ...base, shown: false };
  return hasText(args) ? { untold: 'its arguments are free text, which names nothing' } : null;
}

/** Where arguments have a field that the schema does not have, or a value that is none of those to choose from. */
function inventedIn(value: Json, schema: Json | undefined, at: string): string[] {
  if (!isObject(schema)) return [];
  const { enum: choices, properties, items } = schema;
  if (Array.isArray(choices) && !choices.includes(value)) return [at];
  if (Array.isArray(value)) return value.flatMap((each, index) => inventedIn(each, items, `${at}[${index}]`));
  if (!isObject(value) || !isObject(properties)) return [];
  const isOpen = schema['additionalProperties'] === true || isObject(schema['additionalProperties']);
  return Object.entries(value).flatMap(([field, inner]) => {
    const place = at === '' ? field : `${at}.${field}`;
    if (Object.hasOwn(properties, field)) return inventedIn(inner, properties[field], place);
    return isOpen || isObject(schema['patternProperties']) ? [] : [place];
  });
}

/** The values of all fields that name a thing. */
function idsIn(value: Json, field = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => idsIn(each, field));
  if (isObject(value)) return Object.entries(value).flatMap(([name, inner]) => idsIn(inner, name));
  return NAMES_A_THING.test(field) && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : [];
}

function hasText(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasText);
  return isObject(value) ? Object.values(value).some(hasText) : typeof value === 'string';
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
