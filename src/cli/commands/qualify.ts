import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { WorkersValue } from '../planning-options.ts';
import { Options } from '../options.ts';

const QualifyOptions = Options.pick({
  surface: true,
  task: true,
  repetitions: true,
  perturbations: true,
  closedBook: true,
  prompt: true,
  seed: true,
  again: true,
  json: true,
}).extend({
  workers: WorkersValue.default('auto').meta({
    flags: '-w, --workers <count>',
    help: 'how many trials run at once: a number, or auto for as many as cores and memory allow',
    shown: 'auto',
  }),
  out: z
    .string()
    .min(1)
    .default('bundles')
    .meta({ flags: '-o, --out <folder>', help: 'where the bundles of the trials go', shown: 'bundles' }),
});
export type QualifyArguments = z.output<typeof QualifyOptions>;

export const qualify = defineCommand({
  name: 'qualify',
  args: '<suites...>',
  group: 'write',
  summary: 'Prove that tasks measure what they claim',
  about:
    'On each task without a current proof, try what must pass and what must not, and write a proof next to each suite: without one, nothing counts.',
  options: QualifyOptions,
  examples: [
    'touchstone qualify basics',
    'touchstone qualify ./my-suite --task send-form --perturbations 20',
    'touchstone qualify ./my-suite --closed-book claude-haiku-4-5',
  ],
  run: async (request, terminal) => (await import('../actions/qualify.ts')).qualify(request, terminal),
});
