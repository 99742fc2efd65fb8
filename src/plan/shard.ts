import { z } from 'zod';
import { rule } from '../contract/validation/wording.ts';

/** Part `index` of `of`, counting from 1. */
export const Shard = z
  .strictObject({ index: z.int().min(1), of: z.int().min(1).max(1_000_000) })
  .refine(({ index, of }) => index <= of, rule('part_not_counted'));
export type Shard = z.infer<typeof Shard>;

/** As in messages and reports: `part 2 of 3`. */
export function shardName({ index, of }: Shard): string {
  return `part ${index} of ${of}`;
}
