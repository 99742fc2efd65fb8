import type { Json } from './json.ts';

/** The segments of a JSON pointer (RFC 6901), unescaped. */
export function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function resolvePointer(value: Json, pointer: string): Json | undefined {
  let current: Json | undefined = value;
  for (const segment of segmentsOf(pointer)) current = childrenOf(current).get(segment);
  return current;
}

/**
 * Pointers to the places where two values differ: the deepest that cover everything, sorted. A value that exists on one side
 * only, or has another type, differs as a whole. Without recursion.
 */
export function differences(before: Json | undefined, after: Json | undefined): string[] {
  const found: string[] = [];
  const waiting = [{ old: before, young: after, at: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { old, young, at } = next;
    if (old === young) continue;
    if (!isSameContainer(old, young)) {
      found.push(at);
      continue;
    }
    const [oldChildren, youngChildren] = [childrenOf(old), childrenOf(young)];
    for (const name of new Set([...oldChildren.keys(), ...youngChildren.keys()])) {
      waiting.push({ old: oldChildren.get(name), young: youngChildren.get(name), at: `${at}/${escaped(name)}` });
    }
  }
  return found.toSorted();
}

/** Whether the pointer lies at or below the pattern, in which a segment `*` matches any one segment. */
export function liesUnder(pointer: string, pattern: string): boolean {
  const segments = segmentsOf(pointer);
  return segmentsOf(pattern).every(
    (wanted, index) => index < segments.length && (wanted === '*' || wanted === segments[index]),
  );
}

function isSameContainer(a: Json | undefined, b: Json | undefined): boolean {
  return isContainer(a) && isContainer(b) && Array.isArray(a) === Array.isArray(b);
}

function isContainer(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null;
}

function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The fields of a map, or the entries of a list by index. Nothing inherited is included. */
function childrenOf(value: Json | undefined): Map<string, Json> {
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value));
}
