import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const ValidateOptions = Options.pick({ prompt: true, json: true });
export type ValidateOptions = z.output<typeof ValidateOptions>;

export const validate = defineCommand({
  name: 'validate',
  args: '[places...]',
  group: 'write',
  summary: 'Check suites, tasks and prompts, and list every problem',
  about:
    'Check suites (names or folders), single task files and the prompts of models, and report everything that is wrong at once.',
  options: ValidateOptions,
  examples: [
    'touchstone validate basics',
    'touchstone validate ./my-suite ./draft-task.yaml',
    'touchstone validate basics --prompt ./my-prompt.md',
  ],
  run: async (request, terminal) => (await import('../actions/validate.ts')).validate(request, terminal),
});
