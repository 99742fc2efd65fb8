import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { hashJson } from '../contract/canonical.ts';
import { rule } from '../contract/validation/wording.ts';
import {
  DRAWN,
  hasDrawnName,
  type Instance,
  MAX_INSTANCES,
  ParameterName,
  Parameters,
  ParameterValue,
} from './instance.ts';

const MAX_VALUES = 1_000;

const Range = z
  .strictObject({ from: z.int(), to: z.int() })
  .refine(({ from, to }) => from <= to, rule('range_reversed'));
const Values = z
  .array(z.union([ParameterValue, Parameters]))
  .min(1, rule('list_empty', { entry: 'value' }))
  .max(MAX_VALUES);

/** The values that each parameter may have. A map in a list sets several parameters together. */
export const ValueSources = z
  .record(ParameterName, z.union([Range, Values]))
  .refine((draw) => Object.keys(draw).length > 0, rule('list_empty', { entry: 'name' }));
type ValueSources = z.infer<typeof ValueSources>;

/** The key of every draw: without it, instances cannot be predicted. */
export class DrawSecret {
  readonly #bytes: Uint8Array;
  readonly hash: string;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.hash = createHash('sha256').update(bytes).digest('hex');
  }

  /** @param index from 1 */
  seedOf(suite: string, task: string, index: number): number {
    return firstBits(createHmac('sha256', this.#bytes).update(`${suite}/${task}/${index}`).digest('hex'));
  }
}

/** 48 bits, which a number holds exactly. */
function firstBits(hash: string): number {
  return Number.parseInt(hash.slice(0, 12), 16);
}

export function drawnInstances(
  draw: ValueSources,
  { secret, suite, task, count }: { secret: DrawSecret; suite: string; task: string; count: number },
): Instance[] {
  return Array.from({ length: count }, (_each, at) => drawnInstance(draw, at + 1, secret.seedOf(suite, task, at + 1)));
}

/** Makes an instance from its seed. */
export function drawnInstance(draw: ValueSources, index: number, seed: number): Instance {
  return {
    name: `${DRAWN}${index}`,
    seed,
    parameters: valuesAt(draw, (name, count) => firstBits(hashJson([seed, name])) % count),
  };
}

/** Reads the index in the name of a drawn instance; NaN for other names, and beyond the longest list. */
export function drawnIndex(name: string): number {
  const index = hasDrawnName(name) ? Number(name.slice(DRAWN.length)) : Number.NaN;
  return index >= 1 && index <= MAX_INSTANCES ? index : Number.NaN;
}

/** Makes instances that together use every value of every list. */
export function possibleInstances(draw: ValueSources): Instance[] {
  const most = Math.max(...Object.values(draw).map((from) => (Array.isArray(from) ? from.length : 1)));
  return Array.from({ length: most }, (_each, index) => ({
    name: `${DRAWN}${index + 1}`,
    parameters: valuesAt(draw, (_name, count) => index % count),
  }));
}

function valuesAt(draw: ValueSources, place: (name: string, count: number) => number): Parameters {
  const values = Object.entries(draw)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, from]) => {
      if (!Array.isArray(from)) return [[name, from.from + place(name, from.to - from.from + 1)] as const];
      const value = from[place(name, from.length)] ?? '';
      return typeof value === 'object' ? Object.entries(value) : [[name, value] as const];
    });
  return Object.fromEntries(values);
}
