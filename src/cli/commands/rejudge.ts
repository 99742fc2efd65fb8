import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const RejudgeOptions = Options.pick({ json: true });
export type RejudgeOptions = z.output<typeof RejudgeOptions>;

export const rejudge = defineCommand({
  name: 'rejudge',
  args: '<bundle> [suites...]',
  group: 'judge',
  summary: 'Judge every episode again from its files alone',
  about:
    "Judge every episode again from the bundle's files alone, compare the verdicts, and list missing episodes. If suites are named, judge by the contracts that their tasks have now: the differences show the effect of a changed contract. Writes nothing.",
  options: RejudgeOptions,
  examples: ['touchstone rejudge bundles/20260101T120000-basics', 'touchstone rejudge bundles/mine ./my-suite'],
  run: async (request, terminal) => (await import('../actions/rejudge.ts')).rejudge(request, terminal),
});
