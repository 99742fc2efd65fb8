import type { Json, JsonObject } from '../../contract/json.ts';
import { isRecord } from '../../contract/validation/record.ts';
import { isPattern, matchesWhole } from './expected-pattern.ts';

type Step = { name: string } | { index: number } | { field: string; equals: string };

const STEP =
  /\.(?<name>[\w-]+)|\[(?<index>\d+)\]|\['(?<quoted>[^']+)'\]|\[\?\(@\.(?<field>[\w-]+) ?== ?(?<equals>[^)]+)\)\]/y;

/** The steps of `$.a.b[0]`, `$['a-b']` and `$['a'][?(@.b == 1)].c`; null for what the data set does not use. */
function stepsOf(path: string): Step[] | null {
  const steps: Step[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const found = STEP.exec(path)?.groups;
    if (found === undefined) return null;
    const { name = found['quoted'], index, field, equals } = found;
    if (name !== undefined) steps.push({ name });
    else if (index !== undefined) steps.push({ index: Number(index) });
    else if (field !== undefined && equals !== undefined)
      steps.push({ field, equals: equals.replaceAll(/^['"]|['"]$/g, '') });
  }
  return steps;
}

/**
 * The part of a body that a key of an expectation names: a field, a path, or a pattern for the name of one field (`$.^…$`).
 * Texts on the way that are JSON are read. A filter gives a list; undefined if there is nothing.
 * @throws Error if the path is of another form
 */
export function valueAt(body: JsonObject, key: string): Json | undefined {
  const pattern = key.startsWith('$.^') ? key.slice(2) : key;
  if (isPattern(pattern)) {
    const found = Object.entries(body).filter(([name]) => matchesWhole(pattern, name, ''));
    return found.length > 1 ? found.map(([, value]) => value) : found[0]?.[1];
  }
  if (!key.startsWith('$')) return body[key];
  const steps = stepsOf(key);
  if (steps === null) throw new Error(`cannot read the path ${key}`);
  const values = steps.reduce<Json[]>((held, step) => held.flatMap((each) => taken(parsed(each), step)), [body]);
  return steps.some((step) => 'field' in step) && values.length > 0 ? values : values[0];
}

function taken(value: Json, step: Step): Json[] {
  if ('field' in step) {
    const entries = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
    return entries.filter(
      (entry) => isRecord(entry) && JSON.stringify(entry[step.field])?.replaceAll('"', '') === step.equals,
    );
  }
  const found =
    'index' in step
      ? Array.isArray(value)
        ? value[step.index]
        : undefined
      : isRecord(value)
        ? value[step.name]
        : undefined;
  return found === undefined ? [] : [found];
}

function parsed(value: Json): Json {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    const read: Json = JSON.parse(value);
    return read;
  } catch {
    return value;
  }
}
