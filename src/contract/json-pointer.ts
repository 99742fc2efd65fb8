import type { Json } from './json.ts';
import { entriesNamed, keyIn, namedByKey, nameById } from './keyed-lists.ts';

/** The segments of a JSON pointer (RFC 6901), unescaped. */
export function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The texts of a pointer that name something: its segments, and of `[id=5]` both sides. */
export function namesOfPointer(pointer: string): string[] {
  return segmentsOf(pointer).flatMap((segment) => {
    const key = keyIn(segment);
    return key === null ? [segment] : [key.field, key.text];
  });
}

export function namesByKey(pointer: string): boolean {
  return segmentsOf(pointer).some((segment) => keyIn(segment) !== null);
}

/** The value that a pointer names; undefined if there is none, or several entries of a list have the key. */
export function resolvePointer(value: Json, pointer: string): Json | undefined {
  const found = placeNamed(value, pointer);
  return found === 'ambiguous' ? undefined : found.value;
}

export function placeNamed(value: Json, pointer: string): { value: Json | undefined } | 'ambiguous' {
  let current: Json | undefined = value;
  for (const segment of segmentsOf(pointer)) {
    const key = keyIn(segment);
    const found: Json[] | null = Array.isArray(current) && key !== null ? entriesNamed(current, key) : null;
    if (found !== null && found.length > 1) return 'ambiguous';
    current = found === null ? childrenOf(current).get(segment) : found[0];
  }
  return { value: current };
}

/** A place where two values differ. A side without a value there is undefined. */
interface Difference {
  at: string;
  old: Json | undefined;
  young: Json | undefined;
}

/** Pointers to the {@link placesThatDiffer}. */
export function differences(...compared: Parameters<typeof placesThatDiffer>): string[] {
  return placesThatDiffer(...compared).map(({ at }) => at);
}

/**
 * The places where two values differ: the deepest that cover everything, sorted. A value that exists on one side
 * only, or has another type, differs as a whole. Lists that one of the pointers enters by key are compared by key. Without
 * recursion, but along such pointers.
 */
export function placesThatDiffer(
  before: Json | undefined,
  after: Json | undefined,
  pointers: readonly string[] = [],
): Difference[] {
  const found: Difference[] = [];
  const isChanged = before !== undefined && after !== undefined;
  const [first, last] = isChanged ? namedByKey(before, after, pointers.map(segmentsOf)) : [before, after];
  const waiting: Difference[] = [{ old: first, young: last, at: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { old, young, at } = next;
    if (old === young) continue;
    if (!isSameContainer(old, young)) {
      found.push({ old, young, at });
      continue;
    }
    const [oldChildren, youngChildren] = [childrenOf(old), childrenOf(young)];
    for (const name of new Set([...oldChildren.keys(), ...youngChildren.keys()])) {
      waiting.push({ old: oldChildren.get(name), young: youngChildren.get(name), at: `${at}/${escaped(name)}` });
    }
  }
  return found.toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

/** Whether the pointer lies at or below the pattern, in which a segment `*` matches any one segment. */
export function liesUnder(pointer: string, pattern: string): boolean {
  const segments = segmentsOf(pointer);
  return segmentsOf(pattern).every(
    (wanted, index) => index < segments.length && (wanted === '*' || wanted === segments[index]),
  );
}

/** Names the entries of lists in a pointer by their ids, where they have the same on both sides: `/users/[id=2]/name`. */
export function pointerByIds(pointer: string, before: Json, after: Json): string {
  let sides: (Json | undefined)[] = [before, after];
  const named = segmentsOf(pointer).map((segment) => {
    const own = escaped(segment);
    const names = sides.flatMap((side) =>
      Array.isArray(side) && Number(segment) < side.length ? [nameById(side, Number(segment))] : [],
    );
    sides = sides.map((side) => (side === undefined ? side : resolvePointer(side, `/${own}`)));
    const [name = null] = names;
    return name !== null && names.every((each) => each === name) ? escaped(name) : own;
  });
  return named.map((segment) => `/${segment}`).join('');
}

function isSameContainer(a: Json | undefined, b: Json | undefined): boolean {
  return isContainer(a) && isContainer(b) && Array.isArray(a) === Array.isArray(b);
}

function isContainer(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null;
}

export function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The fields of a map, or the entries of a list by index. Nothing inherited is included. */
function childrenOf(value: Json | undefined): Map<string, Json> {
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value));
}
