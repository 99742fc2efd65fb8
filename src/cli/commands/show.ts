import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const ShowOptions = Options.pick({ claims: true, serve: true, port: true, json: true, verbose: true });
export type ShowOptions = z.output<typeof ShowOptions>;

export const show = defineCommand({
  name: 'show',
  args: '<bundle> [episode]',
  group: 'run',
  summary: 'Look at a bundle or an episode, with --serve in a browser',
  about:
    'Show a bundle, finished or not. With an episode (the start of its id, or a task name), show its goal, why it did not pass, and all of its steps, and with --verbose the prompts and replies of a model, each command to the browser, and whole hashes; where several match, list them (with --json, show them all). With --claims, print what may be claimed of a bundle whose records verify, and why no more. With --serve, show the report and a page for each episode in a browser; the report of a campaign that is still running follows it.',
  options: ShowOptions,
  examples: [
    'touchstone show bundles/20260101T120000-basics',
    'touchstone show bundles/20260101T120000-basics dialog-delete --verbose',
    'touchstone show bundles/20260101T120000-basics --claims',
    'touchstone show bundles/20260101T120000-basics --serve',
  ],
  run: async (request, terminal) => (await import('../actions/show.ts')).show(request, terminal),
});
