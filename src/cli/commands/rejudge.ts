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
    'Judge every episode of a bundle again from its files alone, and compare; tell those that are missing. Where suites are named, by the contracts that their tasks have there now: what differs is what the change of a contract comes to. Writes nothing.',
  options: RejudgeOptions,
  examples: ['touchstone rejudge bundles/20260101T120000-basics', 'touchstone rejudge bundles/mine ./my-suite'],
  run: async (request, terminal) => (await import('../actions/rejudge.ts')).rejudge(request, terminal),
});
