import { z } from 'zod';
import type { Json, JsonObject } from '../../contract/json.ts';
import { EARLIER_VIEWS, type TargetReport, type TargetFacts } from '../../task/target.ts';
import type { ToolCall, ToolDefinition, ToolReply } from '../../task/tool.ts';
import type { CallTargets } from '../mcp/mcp-session.ts';
import { Disclosed, type Within, fieldSchema, isObject, scalar } from './disclosed.ts';
import type { Binding, SurfaceIntent } from '../../task/intent.ts';

type Known = Pick<TargetFacts, 'shown' | 'shown_before' | 'matched_then'>;

const UNSEEN: Known = { shown: false, shown_before: false, matched_then: null };
/** Shown once, in the schema or a reply. */
const DISCLOSED_ONCE: Known = { shown: true, shown_before: false, matched_then: 1 };

/** Reports whether the things named by calls to an app's own tools were disclosed to the agent. */
export class AppTargets implements CallTargets {
  readonly #disclosed: Disclosed;

  constructor(goal: string) {
    this.#disclosed = new Disclosed(goal);
  }

  reportOf(call: ToolCall, reply: ToolReply, tools: readonly ToolDefinition[]): TargetReport | null {
    this.#disclosed.addTools(JSON.stringify(tools));
    const named = thingsNamedBy(call, tools);
    const schema = tools.find(({ name }) => name === call.tool)?.input_schema;
    const invented = schema === undefined ? ['tool'] : inventedChoices(call.args, schema);
    const all = named.map((name) => knownOf(name, this.#disclosed));
    this.#disclosed.addReply(
      reply,
      named.map(({ value }) => value),
    );
    const worst = worstOf(all);
    if (worst !== null) return { ...outcomeOf(worst, reply), invented };
    if (invented.length > 0) return { ...outcomeOf(UNSEEN, reply), invented };
    const kinds = kindsIn(call.args, schema);
    if (kinds.includes('text')) return { untold: 'its arguments are free text, which names nothing' };
    return kinds.includes('choice') ? { ...outcomeOf(DISCLOSED_ONCE, reply), invented } : null;
  }
}

/** A name within an owner must come from a reply that lists the owner's things; any other may come from anything disclosed. */
function knownOf({ value, within }: NamedThing, disclosed: Disclosed): Known {
  if (within === null) return disclosed.has(value) ? DISCLOSED_ONCE : UNSEEN;
  const isInGoal = disclosed.isInGoal(value);
  const views = disclosed.viewsOf(within).slice(0, 1 + EARLIER_VIEWS);
  const [last, ...earlier] = views.map((view) => view.filter((name) => name === value).length);
  if (last === undefined) return { ...UNSEEN, shown: isInGoal };
  return { shown: last > 0, shown_before: isInGoal || earlier.some((count) => count > 0), matched_then: last };
}

/** If a call names several things, the least known decides. */
function worstOf(all: readonly Known[]): Known | null {
  const unseen = all.find((known) => !known.shown && !known.shown_before);
  return unseen ?? all.find(({ shown }) => !shown) ?? all[0] ?? null;
}

/** A target that the app accepted was present and actionable. */
function outcomeOf(known: Known, { ok }: ToolReply): Omit<TargetFacts, 'invented'> {
  if (ok) return { ...known, matched_now: 1, actionable: true, dispatched: true };
  const gone = known.matched_then === 0;
  return { ...known, matched_now: gone ? 0 : null, actionable: known.shown ? false : null, dispatched: false };
}

/**
 * A keyword of an argument's schema: the argument names a thing of the app. Its value is `true`, or has the argument `within` that names
 * the thing's owner, and the field `list` in which replies list everything of that owner.
 */
const KEYWORD = 'x-names';
const Names = z.union([z.literal(true), z.strictObject({ within: z.string(), list: z.string() })]);

/** A field that names a thing, in an app without the keyword: `id`, `invoice_id`, `lineId`. */
const BY_CONVENTION = /(?:^|_)id$|[a-z]Id$/;

interface NamedThing {
  value: string;
  /** Null if the name stands alone. */
  within: Within | null;
}

/** Falls back on names by convention only if no tool of the app has the keyword. */
function thingsNamedBy({ tool, args }: ToolCall, tools: readonly ToolDefinition[]): NamedThing[] {
  if (!tools.some(({ input_schema: schema }) => hasKeyword(schema))) return byConvention(args, '');
  const known = tools.find(({ name }) => name === tool);
  return bySchema(args, known?.input_schema, '', {});
}

function hasKeyword(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(hasKeyword);
  if (!isObject(schema)) return false;
  return Names.safeParse(schema[KEYWORD]).success || Object.values(schema).some(hasKeyword);
}

/** @param holder the arguments around the value */
function bySchema(value: Json, schema: Json | undefined, field: string, holder: JsonObject): NamedThing[] {
  if (!isObject(schema)) return [];
  const names = Names.safeParse(schema[KEYWORD]);
  if (names.success) {
    const within = names.data === true ? null : withinOf(names.data, field, holder);
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

function byConvention(value: Json, field: string): NamedThing[] {
  if (Array.isArray(value)) return value.flatMap((each) => byConvention(each, field));
  if (isObject(value)) return Object.entries(value).flatMap(([name, inner]) => byConvention(inner, name));
  return BY_CONVENTION.test(field) ? scalar(value).map((name) => ({ value: name, within: null })) : [];
}

/** Returns the paths of arguments that the schema lacks, or whose value is not among its choices. */
function inventedChoices(value: Json, schema: Json | undefined, at = ''): string[] {
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

function kindsIn(value: Json, schema: Json | undefined): ('choice' | 'text')[] {
  if (isObject(schema) && choicesOf(schema) !== null) return ['choice'];
  if (Array.isArray(value)) {
    const items = isObject(schema) ? schema['items'] : undefined;
    return value.flatMap((each) => kindsIn(each, items));
  }
  if (isObject(value)) {
    return Object.entries(value).flatMap(([field, inner]) => kindsIn(inner, fieldSchema(schema, field)));
  }
  return typeof value === 'string' ? ['text'] : [];
}

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

export function bindCall(intent: SurfaceIntent): Binding {
  if (intent.do === 'call') return { kind: 'call', call: { tool: intent.tool, args: intent.args } };
  return {
    kind: 'impossible',
    why: 'an app’s own tools show no page; write a solution "for: tools" with steps "do: call"',
  };
}
