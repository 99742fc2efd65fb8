import type { Json } from './json.ts';

/** A segment `[id=5]` of a pointer: the one entry of a list whose field has this text or number. */
interface Key {
  field: string;
  text: string;
}

export function keyIn(segment: string): Key | null {
  const [, field, text] = /^\[([^=]+)=(.*)\]$/s.exec(segment) ?? [];
  return field === undefined || text === undefined ? null : { field, text };
}

export function entriesNamed(list: readonly Json[], { field, text }: Key): Json[] {
  return list.filter((entry) => textOf(entry, field) === text);
}

function textOf(entry: Json, field: string): string | null {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry) || !Object.hasOwn(entry, field)) return null;
  const value = entry[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** Names an entry of a list by its `id`: `[id=5]`; null if it has none, or another entry has the same. */
export function nameById(list: readonly Json[], place: number): string | null {
  const text = textOf(list[place] ?? null, 'id');
  return text !== null && uniqueTexts(list, 'id').has(text) ? `[id=${text}]` : null;
}

type Path = readonly string[];

/**
 * Two values in which each list that a path enters by key is a map of its entries by key, so that they are compared by it. A
 * list stays one, compared by place, if the other value has none there, or has the entries in another order. An entry at which
 * a path ends may come, go and move.
 */
export function namedByKey(one: Json, other: Json, paths: readonly Path[]): [Json, Json] {
  const keyed = paths.filter((path) => path.some((segment) => keyIn(segment) !== null));
  if (keyed.length === 0 || !isContainer(one) || !isContainer(other)) return [one, other];
  if (Array.isArray(one) !== Array.isArray(other)) return [one, other];
  const named = Array.isArray(one) && Array.isArray(other) ? namedLists(one, other, keyed) : null;
  const [ones, others] = named ?? [new Map(Object.entries(one)), new Map(Object.entries(other))];
  for (const [name, inner] of ones) {
    const counterpart = others.get(name);
    const below = keyed.filter(([first]) => first === '*' || first === name).map((path) => path.slice(1));
    if (counterpart === undefined || below.length === 0) continue;
    const [left, right] = namedByKey(inner, counterpart, below);
    ones.set(name, left);
    others.set(name, right);
  }
  if (Array.isArray(one) && named === null) return [[...ones.values()], [...others.values()]];
  return [Object.fromEntries(ones), Object.fromEntries(others)];
}

function isContainer(value: Json): value is Json[] | { [key: string]: Json } {
  return typeof value === 'object' && value !== null;
}

type Named = Map<string, Json>;

function namedLists(one: readonly Json[], other: readonly Json[], paths: readonly Path[]): [Named, Named] | null {
  const wanted = new Set(paths.flatMap(([first = '']) => (keyIn(first) === null ? [] : [first])));
  if (wanted.size === 0) return null;
  const free = new Set(paths.flatMap((path) => (path.length === 1 ? path : [])));
  const [ones, others] = [entriesByName(one, wanted, free), entriesByName(other, wanted, free)];
  const order = (names: Named, counterparts: Named): string[] =>
    [...names.keys()].filter((name) => counterparts.has(name) && !free.has(name));
  const [left, right] = [order(ones, others), order(others, ones)];
  return left.every((name, index) => name === right[index]) ? [ones, others] : null;
}

/** An entry without a key of its own is named by its place, counted without those that are free. */
function entriesByName(list: readonly Json[], wanted: ReadonlySet<string>, free: ReadonlySet<string>): Named {
  const fields = new Set([...wanted].flatMap((segment) => keyIn(segment)?.field ?? []));
  const unique = [...fields].map((field) => ({ field, texts: uniqueTexts(list, field) }));
  const entries: Named = new Map();
  let place = 0;
  for (const entry of list) {
    const keys = unique.flatMap(({ field, texts }) => {
      const text = textOf(entry, field);
      return text !== null && texts.has(text) ? [`[${field}=${text}]`] : [];
    });
    const name = keys.find((key) => wanted.has(key)) ?? keys[0] ?? String(place);
    entries.set(name, entry);
    if (!free.has(name)) place += 1;
  }
  return entries;
}

function uniqueTexts(list: readonly Json[], field: string): Set<string> {
  const [once, again] = [new Set<string>(), new Set<string>()];
  for (const entry of list) {
    const text = textOf(entry, field);
    if (text !== null) (once.has(text) ? again : once).add(text);
  }
  return new Set([...once].filter((text) => !again.has(text)));
}
