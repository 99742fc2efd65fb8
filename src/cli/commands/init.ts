import { z } from 'zod';
import { defineCommand } from '../command.ts';

const InitOptions = z.object({
  yes: z.boolean().default(false).meta({
    flags: '-y, --yes',
    help: 'ask nothing: start with a small page and an agent in Node',
  }),
});
export type InitOptions = z.output<typeof InitOptions>;

export const init = defineCommand({
  name: 'init',
  args: '[folder]',
  group: 'run',
  summary: 'Start with an app and an agent of your own',
  about:
    'Write everything needed to measure your agent on your app: a suite with one task, an agent, a campaign that "touchstone run" finds, and a workflow for CI. Nothing is overwritten. Without a folder, write into the current one if it has nothing but what npm and git put there, else into "touchstone".',
  options: InitOptions,
  examples: ['touchstone init', 'touchstone init ./bench --yes'],
  run: async (request, terminal) => (await import('../actions/init.ts')).init(request, terminal),
});
