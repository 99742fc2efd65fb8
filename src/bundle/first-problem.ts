import { z } from 'zod';
import { parsePlainly, type Problem } from '../contract/validation/problem.ts';
import { isRecord } from '../contract/validation/record.ts';

type Find = (value: unknown) => Problem | null;

/**
 * Finds the first problem of a value with its schema, or null, except in rules over several fields. It stops there;
 * zod would collect an issue for each of a million elements and run out of memory.
 */
export function firstProblem(schema: z.ZodType, value: unknown): Problem | null {
  return finderOf(schema)(value);
}

/** Finders by schema: choosing one takes longer than checking a number, so it is done once. */
const FINDERS = new WeakMap<object, Find>();

function finderOf(schema: unknown): Find {
  // Zod types the parts of its schemas more loosely than the schemas.
  if (!(schema instanceof z.ZodType)) return () => null;
  const known = FINDERS.get(schema);
  if (known !== undefined) return known;
  const finder = createFinder(schema);
  FINDERS.set(schema, finder);
  return finder;
}

function createFinder(schema: z.ZodType): Find {
  const whole: Find = (value) => problemOf(schema, value);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const inner = finderOf(schema.unwrap());
    return (value) => (value === null || value === undefined ? whole(value) : inner(value));
  }
  // `firstInMap` allows for its absence.
  if (schema instanceof z.ZodExactOptional) return finderOf(schema.unwrap());
  if (schema instanceof z.ZodArray) {
    const inner = finderOf(schema.element);
    return (value) => (Array.isArray(value) ? firstInList(inner, value) : whole(value));
  }
  if (schema instanceof z.ZodObject) return (value) => (isRecord(value) ? firstInMap(schema, value) : whole(value));
  if (schema instanceof z.ZodRecord) return (value) => (isRecord(value) ? firstInRecord(schema, value) : whole(value));
  if (schema instanceof z.ZodDiscriminatedUnion) {
    return (value) => {
      const option = isRecord(value) ? optionFor(schema, value) : null;
      return option === null ? whole(value) : firstProblem(option, value);
    };
  }
  return (value) => (schema.safeParse(value).success ? null : whole(value));
}

function firstInList(inner: Find, list: readonly unknown[]): Problem | null {
  for (const [index, item] of list.entries()) {
    const problem = inner(item);
    if (problem !== null) return within(index, problem);
  }
  return null;
}

function firstInMap(schema: z.ZodObject, map: Record<string, unknown>): Problem | null {
  for (const [field, own] of Object.entries(schema.shape)) {
    if (own instanceof z.ZodExactOptional && !Object.hasOwn(map, field)) continue;
    const problem = finderOf(own)(map[field]);
    if (problem !== null) return within(field, problem);
  }
  if (!(schema.def.catchall instanceof z.ZodNever)) return null;
  const unknown = Object.keys(map).find((field) => !Object.hasOwn(schema.shape, field));
  if (unknown === undefined) return null;
  // The known fields are sound, so the problem can only be one more field.
  const known = Object.entries(map).filter(([field]) => Object.hasOwn(schema.shape, field));
  return problemOf(schema, Object.fromEntries([...known, [unknown, map[unknown]]]));
}

function firstInRecord(schema: z.ZodRecord, map: Record<string, unknown>): Problem | null {
  for (const entry of Object.entries(map)) {
    const problem = problemOf(schema, Object.fromEntries([entry]));
    if (problem !== null) return problem;
  }
  return null;
}

/** Options of unions by their discriminators: trying them in turn would create an error for each that does not match. */
const OPTIONS = new WeakMap<object, Map<unknown, z.ZodObject>>();

function optionFor(union: z.ZodDiscriminatedUnion, value: Record<string, unknown>): z.ZodObject | null {
  const known = OPTIONS.get(union) ?? optionsOf(union);
  OPTIONS.set(union, known);
  return known.get(value[union.def.discriminator]) ?? null;
}

function optionsOf({ options, def }: z.ZodDiscriminatedUnion): Map<unknown, z.ZodObject> {
  return new Map(
    options.flatMap((option) => {
      const tag: unknown = option instanceof z.ZodObject ? option.shape[def.discriminator] : null;
      if (!(option instanceof z.ZodObject) || !(tag instanceof z.ZodLiteral)) return [];
      return [...tag.values].map((each): [unknown, z.ZodObject] => [each, option]);
    }),
  );
}

function problemOf(schema: z.ZodType, value: unknown): Problem | null {
  const parsed = parsePlainly(schema, value);
  return parsed.ok ? null : (parsed.problems[0] ?? null);
}

function within(place: string | number, { path, what }: Problem): Problem {
  return { path: [place, ...path], what };
}
