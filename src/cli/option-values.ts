import { z } from 'zod';
import { ENDPOINT_EXAMPLE, isEndpointAddress } from '../browser/endpoint-address.ts';
import { Shard } from '../plan/shard.ts';

export const Ids = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .pipe(z.array(z.string()).min(1, 'names nothing; write one name, or several separated by commas'));
export const PathValue = z.string().min(1);
/** The debugging address of a browser. */
export const EndpointValue = z.string().refine(isEndpointAddress, `must be an address such as ${ENDPOINT_EXAMPLE}`);
export const Hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits');
const DATE_OR_HOUR = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}))?$/;
/** An instant, as rows have it. */
export const Since = z
  .string()
  .transform((text) => text.replace(DATE_OR_HOUR, (_, day: string, hour = '00') => `${day}T${hour}:00:00Z`))
  .pipe(z.iso.datetime({ offset: true, error: 'must be like 2026-05-19T23:00:00Z, 2026-05-19T23 or 2026-05-19' }))
  .transform((text) => new Date(text).toISOString());
/** A part of a whole, above 0 and at most 1. */
export const ShareValue = z
  .string()
  .regex(/^\d{1,3}(?:\.\d{1,4})?%$/, 'must be a percentage such as 5%')
  .transform((text) => Number(text.slice(0, -1)) / 100)
  .pipe(z.number().gt(0, 'must be above 0%').max(1, 'must be at most 100%'));
/** One part of several, such as 2/3. */
export const PartOf = z
  .string()
  .regex(/^\d{1,7}\/\d{1,7}$/, 'must be a part of how many, such as 2/3')
  .transform((text) => {
    const [index, of] = text.split('/').map(Number);
    return { index, of };
  })
  .pipe(Shard);
export const Switch = z.boolean().default(false);
/** Reads a number; leaves other text as it is, so that the error shows what was written. */
export const numeric = <S extends z.ZodType>(schema: S) =>
  z.preprocess((text) => (typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text), schema);
export const count = (most: number) => numeric(z.int().min(1).max(most));

/** More than this one machine carries nowhere. */
const MOST_WORKERS = 256;
export const WorkersValue = z.union([z.literal('auto'), count(MOST_WORKERS)], {
  error: `must be auto, or a whole number from 1 to ${MOST_WORKERS}`,
});
