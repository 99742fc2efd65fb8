type Random = () => number;

function pick<T>(items: readonly T[], random: Random): T | undefined {
  return items[Math.floor(random() * items.length)];
}

/** Values that have ended programs before: halves of characters, numbers beyond all bounds, names of prototypes, paths. */
const ODD: readonly unknown[] = [
  null,
  '',
  '\ud83d',
  'x\udc00y',
  '../../outside',
  '\u001b[2J',
  '__proto__',
  'x'.repeat(70_000),
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  true,
  [],
  {},
  [[]],
  { ['__proto__']: 1, constructor: null },
];

/** A JSON text with one place of its value changed: by type, taken away, doubled, renamed, or nested deep. */
export function mutatedJson(text: string, random: Random): string {
  const value: unknown = JSON.parse(text);
  const places: { holder: Map<string, unknown> | unknown[]; key: string | number }[] = [];
  const open = (node: unknown): unknown => {
    if (Array.isArray(node)) {
      const list: unknown[] = node.map(open);
      for (const key of list.keys()) places.push({ holder: list, key });
      return list;
    }
    if (typeof node !== 'object' || node === null) return node;
    const map = new Map<string, unknown>(Object.entries(node).map(([key, inner]) => [key, open(inner)]));
    for (const key of map.keys()) places.push({ holder: map, key });
    return map;
  };
  const whole = open(value);
  const place = pick(places, random);
  if (place === undefined || random() < 0.02) return JSON.stringify(pick(ODD, random));
  change(place.holder, place.key, random);
  return textOf(whole);
}

function change(holder: Map<string, unknown> | unknown[], key: string | number, random: Random): void {
  const isDeep = random() < 0.02;
  const old = Array.isArray(holder) ? holder[Number(key)] : holder.get(String(key));
  const odd = isDeep ? DEEP : random() < 0.6 ? likeIt(old, random) : pick(ODD, random);
  const kind = random();
  if (Array.isArray(holder)) {
    const at = Number(key);
    if (kind < 0.2) holder.splice(at, 1);
    else if (kind < 0.3) holder.splice(at, 0, holder[at]);
    else holder[at] = odd;
  } else if (kind < 0.2) holder.delete(String(key));
  else if (kind < 0.3) holder.set(String(pick(['\ud800', '__proto__', 'other', ''], random)), holder.get(String(key)));
  else holder.set(String(key), odd);
}

/** Values of the same kind that a schema also accepts, and what may fail later because of them. */
function likeIt(old: unknown, random: Random): unknown {
  if (typeof old === 'string')
    return pick([`${old}\ud83d`, `${old}x`, old.slice(1), `\u202e${old}`, `${old}/../..`], random);
  if (typeof old === 'number') return pick([old + 1, -old, old + 0.5, old * 1e6, 0, Number.MAX_SAFE_INTEGER], random);
  if (typeof old === 'boolean') return !old;
  return old instanceof Map ? new Map([...old].toReversed().slice(1)) : null;
}

/** Stands for a value that no stack can hold. */
const DEEP = Symbol('deep');
const DEPTH = 20_000;

function textOf(node: unknown): string {
  if (node === DEEP) return `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;
  if (Array.isArray(node)) return `[${node.map(textOf).join(',')}]`;
  if (!(node instanceof Map)) return JSON.stringify(node);
  return `{${[...node].map(([key, inner]) => `${JSON.stringify(String(key))}:${textOf(inner)}`).join(',')}}`;
}

/** Bytes cut off, overwritten, or no UTF-8 any more. */
export function mutatedBytes(bytes: Buffer, random: Random): Buffer {
  const at = Math.floor(random() * bytes.length);
  const kind = random();
  if (kind < 0.3) return bytes.subarray(0, at);
  if (kind < 0.5) return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xfe]), bytes.subarray(at)]);
  if (kind < 0.6) return Buffer.concat([bytes, bytes.subarray(0, at)]);
  const copy = Buffer.from(bytes);
  copy[at] = Math.floor(random() * 256);
  return copy;
}

/** One line of several changed, taken away, doubled, or in another's place. */
export function mutatedLines(text: string, random: Random): string {
  const lines = text.trimEnd().split('\n');
  const at = Math.floor(random() * lines.length);
  const line = lines[at] ?? '';
  const kind = random();
  if (kind < 0.15) lines.splice(at, 1);
  else if (kind < 0.3) lines.splice(at, 0, line);
  else if (kind < 0.4) lines.reverse();
  else lines[at] = mutatedJson(line, random);
  return `${lines.join('\n')}\n`;
}

/** A JSON text once for each kind of place with a text, with half a surrogate pair at the end of that text. */
export function* withHalves(text: string): Generator<{ place: string; text: string }> {
  const seen = new Set<string>();
  const found: string[][] = [];
  const visit = (node: unknown, at: readonly string[]): void => {
    if (typeof node === 'string') {
      // Elements of a list are of one kind, and so are the proofs of tasks.
      const kind = at.map((part) => (/^\d+$|\//.test(part) ? '*' : part)).join('.');
      if (!seen.has(kind)) found.push([...at]);
      seen.add(kind);
    } else if (typeof node === 'object' && node !== null) {
      for (const [key, inner] of Object.entries(node)) visit(inner, [...at, key]);
    }
  };
  visit(JSON.parse(text), []);
  for (const at of found) yield { place: at.join('.'), text: JSON.stringify(halved(JSON.parse(text), at)) };
}

function halved(node: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return `${String(node)}\ud83d`;
  if (Array.isArray(node)) return node.map((each, at) => (String(at) === key ? halved(each, rest) : each));
  const fields = Object.entries(node ?? {});
  return Object.fromEntries(fields.map(([name, each]) => [name, name === key ? halved(each, rest) : each]));
}
