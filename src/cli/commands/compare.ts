import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const CompareOptions = Options.pick({ gate: true, json: true });
export type CompareOptions = z.output<typeof CompareOptions>;

export const compare = defineCommand({
  name: 'compare',
  args: '<bundle> [after]',
  group: 'judge',
  summary: 'Compare the entrants of a bundle, or two bundles',
  about:
    'With one bundle, compare its entrants: which tasks each passed, every pair on the tasks that both ran, what may be claimed, and the calls, tokens and time that each spent. With two bundles, say what changed from the first to the second: success rates, each task paired with itself, with intervals, and separately who recovers from faults. Prints Markdown.',
  options: CompareOptions,
  examples: [
    'touchstone compare bundles/20260101T120000-basics',
    'touchstone compare bundles/monday bundles/tuesday --gate',
  ],
  run: async (request, terminal) => (await import('../actions/compare.ts')).compare(request, terminal),
});
