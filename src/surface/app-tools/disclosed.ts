import { Json, type JsonObject, parsedOr } from '../../contract/json.ts';
import type { ToolReply } from '../../task/tool.ts';

/** The place of things within another in replies: in the objects that have its name. */
export interface Within {
  /** The field with the other's name, and the name. */
  field: string;
  owner: string;
  /** The field of that object with all things within, and their field with the name of each. */
  list: string;
  by: string;
}

interface Reply {
  text: string;
  json: Json;
  /** Names that a refusal only repeats from the call. */
  echoed: readonly string[];
}

/** Everything disclosed to an agent: its goal, the tools, and all replies so far. */
export class Disclosed {
  readonly #goal: string;
  readonly #tools = new Set<string>();
  readonly #replies: Reply[] = [];

  constructor(goal: string) {
    this.#goal = goal;
  }

  addTools(tools: string): void {
    this.#tools.add(tools);
  }

  /** @param named by the call: a refusal that repeats an invented name does not disclose it */
  addReply({ ok, text }: ToolReply, named: readonly string[]): void {
    const echoed = ok ? [] : named.filter((value) => !this.has(value));
    this.#replies.unshift({ text, json: Json.safeParse(parsedOr(text, null)).data ?? null, echoed });
  }

  /** Whether a value was disclosed, and not as part of a longer word or number. */
  has(value: string): boolean {
    if (this.isInGoal(value) || [...this.#tools].some((text) => standsIn(text, value))) return true;
    return this.#replies.some(({ text, echoed }) => !echoed.includes(value) && standsIn(text, value));
  }

  isInGoal(value: string): boolean {
    return standsIn(this.#goal, value);
  }

  /** The names of all things within another, by reply, the last first. */
  viewsOf(within: Within): string[][] {
    return this.#replies.flatMap(({ json }) => listsIn(json, within));
  }
}

function standsIn(text: string, value: string): boolean {
  if (value === '') return false;
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const isWhole = !/[\w-]/.test(text.charAt(at - 1)) && !/[\w-]/.test(text.charAt(at + value.length));
    if (isWhole) return true;
  }
  return false;
}

function listsIn(value: Json, within: Within): string[][] {
  if (Array.isArray(value)) return value.flatMap((each) => listsIn(each, within));
  if (!isObject(value)) return [];
  const listed = value[within.list];
  if (scalar(value[within.field]).includes(within.owner) && Array.isArray(listed)) {
    return [listed.flatMap((each) => (isObject(each) ? scalar(each[within.by]) : []))];
  }
  return Object.values(value).flatMap((each) => listsIn(each, within));
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text or number, as text, since it can name a thing; nothing for any other value. */
export function scalar(value: Json | undefined): string[] {
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

export function fieldSchema(schema: Json | undefined, field: string): Json | undefined {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) && Object.hasOwn(properties, field) ? properties[field] : undefined;
}
