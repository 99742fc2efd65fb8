import { z } from 'zod';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import { rule } from './validation/wording.ts';

export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

/** Deepest nesting: far more than software writes, and far less than would end a process. */
const MAX_DEPTH = 512;

/**
 * Any JSON value, not copied: copying schemas drop `__proto__`, and a state that differs in that alone would count as
 * unchanged.
 */
export const Json = z.custom<Json>(isJson);

export const JsonObject = z.custom<JsonObject>((value) => isMap(value) && isJson(value), rule('not_json_map'));

/** Parses JSON from outside; any other text gives the other value. */
export function parsedOr(text: string, otherwise: Json | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Without recursion; a value that contains itself is too deep. */
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

/** An instance of a class may hold what JSON would not write. */
function isMap(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

/** Counts the UTF-8 bytes of a value's JSON without writing it; null once there are more than `most`. */
export function jsonBytes(value: unknown, most: number): number | null {
  let bytes = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') {
      // Each character takes a byte at least, so a text that is far too long is never copied.
      bytes += next.length > most - bytes ? next.length : Buffer.byteLength(JSON.stringify(next));
    } else if (Array.isArray(next)) {
      bytes += brackets(next.length);
      if (bytes <= most) for (const item of next) waiting.push(item);
    } else if (typeof next === 'object' && next !== null) {
      const fields = Object.entries(next);
      bytes += brackets(fields.length) + fields.length;
      if (bytes <= most) for (const field of fields) waiting.push(...field);
    } else {
      bytes += String(next).length;
    }
    if (bytes > most) return null;
  }
  return bytes;
}

function brackets(items: number): number {
  return 2 + Math.max(0, items - 1);
}

/** Deepest nesting of a value in a task or contract. */
const MAX_NESTING = 64;

const MAX_VALUES = 20_000;

/**
 * Why a value cannot be JSON of a sane size; null if it can. Without recursion, so that a hostile value (very deep, containing
 * itself, or fanned out by shared references) cannot overflow the stack.
 */
export function nestingProblem(value: unknown): Fact | null {
  const waiting = [{ value, depth: 1 }];
  let seen = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    const { depth } = next;
    if (depth > MAX_NESTING) {
      return fact('nested_deeper', { levels: MAX_NESTING });
    }
    for (const inner of Object.values(next.value)) {
      seen += 1;
      if (seen > MAX_VALUES) return fact('too_many_values', { most: MAX_VALUES });
      waiting.push({ value: inner, depth: depth + 1 });
    }
  }
  return null;
}

/** Whether a value is nested deeper than this, or contains itself. Without recursion. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  const waiting = [{ value, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: container, depth } = next;
    if (typeof container !== 'object' || container === null) continue;
    if (depth > levels) return true;
    for (const inner of Object.values(container)) waiting.push({ value: inner, depth: depth + 1 });
  }
  return false;
}
