import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const MergeOptions = Options.pick({ json: true }).extend({
  out: z
    .string({ error: 'must be given' })
    .min(1)
    .meta({ flags: '-o, --out <folder>', help: 'where the merged bundle goes: a new or an empty folder' }),
});
export type MergeOptions = z.output<typeof MergeOptions>;

export const merge = defineCommand({
  name: 'merge',
  args: '<bundles...>',
  group: 'run',
  summary: 'Make one bundle of the parts from run --shard',
  about:
    'Make one bundle of all parts of a plan that were run with --shard. Each part is verified; pins that differ, and parts that are missing or given twice, are refused by name.',
  options: MergeOptions,
  examples: ['touchstone merge parts/1 parts/2 parts/3 --out bundles/whole'],
  run: async (request, terminal) => (await import('../actions/merge.ts')).merge(request, terminal),
});
