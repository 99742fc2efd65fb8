import { z } from 'zod';

/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A map of fields in JSON, as tools take for arguments. */
export interface JsonObject {
  [key: string]: Json;
}

/** Deepest nesting that is taken: far more than software writes, and far less than would end a process. */
const MAX_DEPTH = 512;

/**
 * Any value that JSON can hold, as it is: not copied, so that no key is lost. (Copying schemas drop `__proto__`, and a
 * state that differs in that alone would count as unchanged.)
 */
export const Json = z.custom<Json>(isJson);

/** Arguments of a tool call: JSON by name, as it is. */
export const JsonObject = z.custom<JsonObject>((value) => isMap(value) && isJson(value), 'is not a map of JSON values');

/** Looks without recursion. What contains itself is deeper than anything that is taken. */
function isJson(value: unknown): boolean {
  const waiting = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: current, depth } = next;
    if (current === null || typeof current === 'string' || typeof current === 'boolean') continue;
    if (typeof current === 'number' && Number.isFinite(current)) continue;
    if (depth > MAX_DEPTH || !(Array.isArray(current) || isMap(current))) return false;
    for (const inner of Array.isArray(current) ? current : Object.values(current)) {
      waiting.push({ value: inner, depth: depth + 1 });
    }
  }
  return true;
}

/** A plain object: an instance of a class may hold what JSON would not write. */
function isMap(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
