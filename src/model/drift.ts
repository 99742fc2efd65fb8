import canonicalize from 'canonicalize';
import { z } from 'zod';
import { ModelDrift } from './error.ts';

/** The parts of a request that can differ, in the order in which they are looked at; Google has words of its own for two of them. */
const Request = z.looseObject({
  messages: z.array(z.unknown()).default([]),
  contents: z.array(z.unknown()).default([]),
  tools: z.array(z.unknown()).default([]),
  system: z.unknown().optional(),
  systemInstruction: z.unknown().optional(),
});

/**
 * Texts that differ between two equal runs, by name: they say nothing about what the model was asked.
 * Ids of calls are the model's own, and come from the record.
 */
const VOLATILE: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['uuid', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  ['time', /\b\d{4}-\d{2}-\d{2}T\d{2}[:-]\d{2}[:-]\d{2}(?:[.,-]\d{1,6})?(?:Z|[+-]\d{2}:?\d{2})?/g],
  ['port', /(?<=\b(?:127\.0\.0\.1|localhost):)\d{2,5}\b/g],
];

/**
 * Holds a request against the one that was recorded in its place.
 * @throws ModelDrift naming the first message that differs, else the setting or tool.
 */
export function refuseDrift(recorded: unknown, now: unknown, position: number): void {
  const [before, after] = [Request.safeParse(recorded), Request.safeParse(now)];
  const pairs: Pair[] =
    before.success && after.success
      ? [...settingsOf(before.data, after.data), ...partsOf(before.data, after.data)]
      : [['the body', recorded, now]];
  const other = pairs.find(([, was, is]) => fixed(was) !== fixed(is));
  if (other === undefined) return;
  const [name, was, is] = other;
  const [expected, actual] = around(fixed(was), fixed(is));
  throw new ModelDrift(`${name} of request ${position} as recorded, ${expected}`, `it is ${actual}`);
}

type Pair = [name: string, was: unknown, is: unknown];

function settingsOf(before: z.infer<typeof Request>, after: z.infer<typeof Request>): Pair[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !PARTS.has(name)).map((name) => [`"${name}"`, before[name], after[name]]);
}

const PARTS = new Set(Object.keys(Request.shape));

function partsOf(before: z.infer<typeof Request>, after: z.infer<typeof Request>): Pair[] {
  return [
    ['the system prompt', before.system ?? before.systemInstruction, after.system ?? after.systemInstruction],
    ...listed('tool', before.tools, after.tools),
    ...listed('message', [...before.messages, ...before.contents], [...after.messages, ...after.contents]),
  ];
}

function listed(name: string, before: readonly unknown[], after: readonly unknown[]): Pair[] {
  const longer = before.length > after.length ? before : after;
  return longer.map((_, index) => [`${name} ${index + 1}`, before[index], after[index]]);
}

/** One text for all that mean the same; half of a character, which has no canonical form, is as good as another. */
function fixed(value: unknown): string {
  const text =
    value === undefined ? 'nothing' : (canonicalize(JSON.parse(JSON.stringify(value, wellFormed))) ?? 'nothing');
  return VOLATILE.reduce((whole, [name, pattern]) => whole.replaceAll(pattern, `<${name}>`), text);
}

const whole = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');

/** As a replacer of JSON: keys are replaced with the map that they are of. */
function wellFormed(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return whole(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [whole(key), part]));
}

/** Number of characters shown around a difference: a little of what is before it, and what follows. */
const [BEFORE, AFTER] = [30, 120];

function around(was: string, is: string): [string, string] {
  let place = 0;
  while (place < was.length && was[place] === is[place]) place += 1;
  const start = Math.max(0, place - BEFORE);
  const shown = (text: string): string =>
    `${start > 0 ? '…' : ''}${text.slice(start, place + AFTER)}${text.length > place + AFTER ? '…' : ''}`;
  return [shown(was), shown(is)];
}
