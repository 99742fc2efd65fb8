import type { z } from 'zod';

type Json = z.infer<ReturnType<typeof z.json>>;

/** The segments of a JSON pointer (RFC 6901), unescaped. */
export function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer that names these segments. */
export function pointerOf(segments: readonly string[]): string {
  return segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value that a pointer names, or undefined when there is none. */
export function resolvePointer(value: Json, pointer: string): Json | undefined {
  let current: Json | undefined = value;
  for (const segment of segmentsOf(pointer)) current = childrenOf(current).get(segment);
  return current;
}

/** Pointers of the places in which two values differ: the deepest that say it all, sorted. */
export function differences(before: Json | undefined, after: Json | undefined, at: string[] = []): string[] {
  if (Object.is(before, after)) return [];
  if (!isSameContainer(before, after)) return [pointerOf(at)];
  const [old, young] = [childrenOf(before), childrenOf(after)];
  const names = new Set([...old.keys(), ...young.keys()]);
  return [...names].flatMap((name) => differences(old.get(name), young.get(name), [...at, name])).toSorted();
}

/** True when the pointer lies at or below the pattern, in which a segment `*` stands for any one segment. */
export function liesUnder(pointer: string, pattern: string): boolean {
  const segments = segmentsOf(pointer);
  return segmentsOf(pattern).every((wanted, index) => index < segments.length && (wanted === '*' || wanted === segments[index]));
}

function isSameContainer(a: Json | undefined, b: Json | undefined): boolean {
  const isContainer = (value: Json | undefined): boolean => typeof value === 'object' && value !== null;
  return isContainer(a) && isContainer(b) && Array.isArray(a) === Array.isArray(b);
}

function childrenOf(value: Json | undefined): Map<string, Json> {
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value));
}
