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

/** Where values of parameters are drawn from, by name. A map in a list gives several parameters, whose values belong together. */
export const ValueSources = z
  .record(ParameterName, z.union([Range, Values]))
  .refine((draw) => Object.keys(draw).length > 0, rule('list_empty', { entry: 'name' }));
type ValueSources = z.infer<typeof ValueSources>;

/** Decides what is drawn for each task: without it, nothing can be foreseen. */
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

/** An instance whose values its seed draws. */
export function drawnInstance(draw: ValueSources, index: number, seed: number): Instance {
  return {
    name: `${DRAWN}${index}`,
    seed,
    parameters: valuesAt(draw, (name, count) => firstBits(hashJson([seed, name])) % count),
  };
}

/** The index of an instance that was drawn; NaN of others, and of one that no list is long enough for. */
export function drawnIndex(name: string): number {
  const index = hasDrawnName(name) ? Number(name.slice(DRAWN.length)) : Number.NaN;
  return index >= 1 && index <= MAX_INSTANCES ? index : Number.NaN;
}

/** Instances that together have every value of every list. */
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
