import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const OPTIONS = { episodes: true, machines: true, machineUsd: true, storageUsd: true, json: true } as const;
const SizingOptions = Options.pick(OPTIONS);
export type SizingOptions = z.output<typeof SizingOptions>;

export const sizing = defineCommand({
  name: 'sizing',
  args: '<bundle>',
  group: 'run',
  summary: 'Work out time and cost of many more such episodes',
  about:
    'Work out what many more episodes like those of a bundle would take on so many machines, each like the one that ran it: time, USD and bytes, with the arithmetic. What the bundle does not show, such as the price of a machine, is given by options.',
  options: SizingOptions,
  examples: ['touchstone sizing bundles/20260101T120000-basics --machines 20 --machine-usd 0.10'],
  run: async (request, terminal) => (await import('../actions/sizing.ts')).sizing(request, terminal),
});
